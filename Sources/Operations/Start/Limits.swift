package import Kernel
import Synchronization

/// The source of a request for limits: a keyed digest of an address or a network, valid for this process.
package struct RequestSource: Hashable, Sendable {
    let digest: UInt64
}

/// The limits by address and by account, and the sources that are kept quiet.
///
/// They are in memory, of a fixed size, under a key that is drawn at each start. The tables reveal no address or
/// e-mail, and nobody outside can aim at another caller's entry.
package final class Limits: Sendable {
    /// `nil` for no limits, in benchmarks.
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

    /// `stripes`: How many parts of its table a limit locks separately; each has 1,024 entries.
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

    /// Returns the source of requests from an address; its bytes are empty if the connection has none.
    package func source(of address: [UInt8]) -> RequestSource { RequestSource(digest: digest("address", address)) }

    /// Returns the source that stands for a mailbox, for mails that any caller asks for.
    package func source(ofMailbox mailbox: String) -> RequestSource {
        RequestSource(digest: digest("mailbox", Array(mailbox.utf8)))
    }

    /// Returns the source that stands for a backchannel client, wherever its servers are.
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

    /// Takes one request of the source's budget.
    func take(_ limit: Limit, _ source: RequestSource) -> Duration? { take(limit, source.digest) }

    /// Takes one start of the account's budget, by the typed address, whether it belongs to an account or not.
    func takeStart(email: String) -> Duration? { take(.initiatePerAccount, digest("account", Array(email.utf8))) }

    /// Takes one request of the session's budget.
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

    /// Takes one start of the budget of an issued cookie, or of a proof that was valid before.
    /// - Returns: `false` without such a proof, or when its budget is used up.
    func takeLinked(_ proofs: PresentedProofs) -> Bool {
        let now = clock.now
        let remembered = proofs.others.filter { linked.isMarked(digest("linked", $0.bytes), at: now) }
        return (proofs.issued + remembered).contains { takeOwn($0) }
    }

    /// Takes one start of the budget of the device with that mark.
    func takeOwn(_ mark: Digest256) -> Bool {
        guard let rates, let own = linkedUse else { return false }
        return own.take(digest("device", mark.bytes), rates.logins.initiatePerAddress, at: clock.now) == nil
    }

    /// Returns the error of a limit, counted.
    func exceeded(_ limit: Limit, retryAfter: Duration) -> LimitExceededError {
        refused[limit]?.count.wrappingAdd(1, ordering: .relaxed)
        return LimitExceededError(limit: limit, retryAfter: retryAfter)
    }

    /// Makes the source's starts for that account through that client decoys, for a while.
    func hush(_ source: RequestSource, client: String, account: AccountID) {
        guard let rates else { return }
        quiet.mark(quietKey(of: source, client: client, account: account), until: clock.now + rates.logins.quietPeriod)
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
