package import Kernel
import Synchronization

/// Where a request comes from, as limits know it: a keyed digest of an address or a network, good for this process.
package struct RequestSource: Hashable, Sendable {
    let digest: UInt64
}

/// The limits by address and by account, and who is to be quiet.
///
/// In memory, of a fixed size, under a key that is made at each start: what is kept tells nobody an address or an
/// e-mail, and nobody outside can aim at another's place.
package final class Limits: Sendable {
    /// `nil` for none: benches.
    package let rates: LimitRates?
    private let clock: any MonotonicClock
    private let key: KeyedHash
    private let tables: [Limit: UseTable]
    /// As long as the device cookies of a sign-in last; being remembered proves nothing.
    private static let linkedFor: Duration = .seconds(90 * 24 * 3600)
    private let linked: UseTable
    private let linkedUse: UseTable?
    private let quiet: UseTable
    private let refused: [Limit: Counted]

    private final class Counted: Sendable {
        let count = Atomic<Int>(0)
    }

    /// `stripes`: how many parts of its table a limit locks apart from one another; a table has 1,024 places for each.
    package init(_ rates: LimitRates?, environment: Environment, stripes: Int = 64) {
        self.rates = rates
        clock = environment.clock
        key = KeyedHash(randomFrom: environment)
        // A login's own budget is kept with its card.
        let byKey = rates == nil ? [] : Limit.allCases.filter { $0 != .pollsPerOperation }
        tables = Dictionary(byKey.map { ($0, UseTable(stripes: stripes)) }, uniquingKeysWith: { first, _ in first })
        let fewer = max(1, stripes / 4)
        linked = UseTable(stripes: fewer, setsPerStripe: 64)
        linkedUse = rates == nil ? nil : UseTable(stripes: fewer, setsPerStripe: 64)
        quiet = UseTable(stripes: fewer, setsPerStripe: 64)
        refused = Dictionary(Limit.allCases.map { ($0, Counted()) }, uniquingKeysWith: { first, _ in first })
    }

    /// The source of requests from those bytes of an address; of none, if the connection has none.
    package func source(of address: [UInt8]) -> RequestSource { RequestSource(digest: digest("address", address)) }

    /// The source that stands for a mailbox, whoever has mail sent there.
    package func source(ofMailbox mailbox: String) -> RequestSource {
        RequestSource(digest: digest("mailbox", Array(mailbox.utf8)))
    }

    /// The source that stands for a client which asks in people's names by itself, wherever its servers are.
    func source(ofClient client: String) -> RequestSource {
        RequestSource(digest: digest("client", Array(client.utf8)))
    }

    /// How often each limit has refused since the start.
    var refusedCounts: [String: Int] {
        Dictionary(
            refused.map { ($0.key.rawValue, $0.value.count.load(ordering: .relaxed)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Takes one of the source's budget.
    func take(_ limit: Limit, _ source: RequestSource) -> Duration? { take(limit, source.digest) }

    /// Takes one of the account's budget: by the address that was typed, whether somebody has it or not.
    func takeStart(email: String) -> Duration? { take(.initiatePerAccount, digest("account", Array(email.utf8))) }

    /// Takes one of the session's budget.
    func take(_ limit: Limit, _ session: SessionID) -> Duration? { take(limit, digest("session", session.bits.bytes)) }

    private func take(_ limit: Limit, _ key: UInt64) -> Duration? {
        guard let rates, let table = tables[limit] else { return nil }
        return table.take(key, rates[limit], at: clock.now)
    }

    /// Remembers the marks of the proofs of a linked device.
    func noteLinked(_ marks: [Digest256]) {
        guard rates != nil else { return }
        for mark in marks { linked.mark(digest("linked", mark.bytes), until: clock.now + Self.linkedFor) }
    }

    /// Takes one of the budget of a cookie that was minted here, or of a proof that has held before: `false` where there
    /// is none, or it is used up.
    func takeLinked(_ proofs: PresentedProofs) -> Bool {
        let now = clock.now
        let remembered = proofs.others.filter { linked.isMarked(digest("linked", $0.bytes), at: now) }
        return (proofs.minted + remembered).contains { takeOwn($0) }
    }

    /// Takes one of the budget of a device that is known by that mark.
    func takeOwn(_ mark: Digest256) -> Bool {
        guard let rates, let own = linkedUse else { return false }
        return own.take(digest("device", mark.bytes), rates.initiatePerAddress, at: clock.now) == nil
    }

    /// The refusal, counted.
    func exceeded(_ limit: Limit, retryAfter: Duration) -> LimitExceededError {
        refused[limit]?.count.wrappingAdd(1, ordering: .relaxed)
        return LimitExceededError(limit: limit, retryAfter: retryAfter)
    }

    /// From now on the source's starts for that account through that client are decoys, for a while.
    func hush(_ source: RequestSource, client: String, account: AccountID) {
        guard let rates else { return }
        quiet.mark(quietKey(of: source, client: client, account: account), until: clock.now + rates.quietPeriod)
    }

    /// Whether the source's starts for that account through that client are to be decoys.
    func isQuiet(_ source: RequestSource, client: String, account: AccountID) -> Bool {
        rates != nil && quiet.isMarked(quietKey(of: source, client: client, account: account), at: clock.now)
    }

    private func quietKey(of source: RequestSource, client: String, account: AccountID) -> UInt64 {
        digest("quiet", withUnsafeBytes(of: source.digest) { Array($0) } + account.bits.bytes + Array(client.utf8))
    }

    private func digest(_ purpose: String, _ bytes: [UInt8]) -> UInt64 {
        key.digest(bytes, purpose: purpose).prefixWord
    }
}
