import Kernel
import Synchronization

/// Holds encrypted tokens of banks that could not be stored yet.
///
/// The bank has used up the previous refresh token (RFC 6749 §6, RFC 9700 §4.14.2), so only these tokens give access.
/// The next sync of this process writes them first, or else the stop (``BankService/finish(by:)``). If neither can, they
/// are lost.
final class UnwrittenTokens: Sendable {
    /// The most links whose tokens are held.
    ///
    /// At this limit no bank is asked for new tokens, because they could be lost.
    private let most: Int
    private let held = Mutex<[BankSyncs.Key: Held]>([:])

    init(most: Int = 10_000) { self.most = most }

    private struct Held {
        /// The stored tokens of the link when the bank was asked.
        let earlier: BankLink.EncryptedTokens
        let tokens: BankLink.EncryptedTokens
    }

    /// Whether the tokens of one more link can be held.
    var isBelowLimit: Bool { held.withLock { $0.count < most } }

    /// The links whose tokens are held.
    var links: [BankSyncs.Key] { held.withLock { Array($0.keys) } }

    func hold(_ tokens: BankLink.EncryptedTokens, for link: BankLink) {
        guard let earlier = link.tokens else { return }
        held.withLock { $0[BankSyncs.Key(link)] = Held(earlier: earlier, tokens: tokens) }
    }

    /// Returns the tokens that are held for the link; those from before a new enrolment are deleted, and not returned.
    func tokens(for link: BankLink) -> BankLink.EncryptedTokens? {
        held.withLock { held in
            guard let found = held[BankSyncs.Key(link)] else { return nil }
            if let tokens = link.tokens, found.earlier.isSame(as: tokens) { return found.tokens }
            held[BankSyncs.Key(link)] = nil
            return nil
        }
    }

    func forget(_ link: BankLink) { forget(link.bankID, of: link.account) }

    func forget(_ bankID: String, of account: AccountID) {
        held.withLock { $0[BankSyncs.Key(account: account, bankID: bankID)] = nil }
    }
}

extension BankSyncs.Key {
    fileprivate init(_ link: BankLink) { self.init(account: link.account, bankID: link.bankID) }
}
