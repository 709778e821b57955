package import Kernel
import Synchronization

/// The source of a request for limits: a keyed digest of an address, network, mailbox or client, valid in this process.
package struct RequestSource: Hashable, Sendable {
    let digest: UInt64
}

/// The limits by address and by account, and the initiators that get decoys.
///
/// They are tables of fixed size in memory, under a key that is drawn at each start of the process. The tables reveal
/// no address, and an attacker can't aim at another caller's entry.
package final class Limits: Sendable {
    /// `nil` for no limits, in benchmarks.
    package let rates: LimitRates?
    private let clock: any MonotonicClock
    private let key: KeyedHash
    private let tables: [Limit: UseTable]
    /// The lifetime of a sign-in's device cookies, for which a mark is remembered without being a proof.
    private static let linkedFor: Duration = .seconds(90 * 24 * 3600)
    private let linked: UseTable
    private let linkedUse: UseTable?
    private let quiet: UseTable
    private let refused: [Limit: Counted]

    private final class Counted: Sendable {
        let count = Atomic<Int>(0)
    }

    /// `stripes`: The number of separately locked parts of a limit's table, with 1,024 entries each.
    package init(_ rates: LimitRates?, environment: Environment, stripes: Int = 64) {
        self.rates = rates
        clock = environment.clock
        key = KeyedHash(randomFrom: environment)
        // The budgets of an operation are kept in its cache entry.
        let byKey = rates == nil ? [] : Limit.allCases.filter { $0 != .pollsPerOperation }
        tables = Dictionary(byKey.map { ($0, UseTable(stripes: stripes)) }, uniquingKeysWith: { first, _ in first })
        let fewer = max(1, stripes / 4)
        linked = UseTable(stripes: fewer, setsPerStripe: 64)
        linkedUse = rates == nil ? nil : UseTable(stripes: fewer, setsPerStripe: 64)
        quiet = UseTable(stripes: fewer, setsPerStripe: 64)
        refused = Dictionary(Limit.allCases.map { ($0, Counted()) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the source of requests from an address, which is empty for a connection without one.
    package func source(of address: [UInt8]) -> RequestSource { RequestSource(digest: digest("address", address)) }

    /// Returns the source for a mailbox, to limit the mails to it that any caller asks for.
    package func source(ofMailbox mailbox: String) -> RequestSource {
        RequestSource(digest: digest("mailbox", Array(mailbox.utf8)))
    }

    /// Returns the source for a backchannel client, from whichever address its servers send.
    func source(ofClient client: String) -> RequestSource {
        RequestSource(digest: digest("client", Array(client.utf8)))
    }

    /// The number of refusals of each limit since the start.
    var refusedCounts: [String: Int] {
        Dictionary(
            refused.map { ($0.key.rawValue, $0.value.count.load(ordering: .relaxed)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Takes one request from the source's budget; returns the time to wait, or `nil` if it is allowed.
    func take(_ limit: Limit, _ source: RequestSource) -> Duration? { take(limit, source.digest) }

    /// Takes one start from the budget of the typed e-mail address, whether an account has it or not.
    func takeStart(email: String) -> Duration? { take(.initiatePerAccount, digest("account", Array(email.utf8))) }

    /// Takes one request from the session's budget.
    func take(_ limit: Limit, _ session: SessionID) -> Duration? { take(limit, digest("session", session.bits.bytes)) }

    private func take(_ limit: Limit, _ key: UInt64) -> Duration? {
        guard let rates, let table = tables[limit] else { return nil }
        return table.take(key, rates[limit], at: clock.now)
    }

    /// Remembers the marks of a linked device's valid proofs.
    func noteLinked(_ marks: [Digest256]) {
        guard rates != nil else { return }
        for mark in marks { linked.mark(digest("linked", mark.bytes), until: clock.now + Self.linkedFor) }
    }

    /// Takes one start from the budget of an issued cookie or of a remembered proof.
    /// - Returns: `false` without such a proof, or when its budget is used up.
    func takeLinked(_ proofs: PresentedProofs) -> Bool {
        let now = clock.now
        let remembered = proofs.others.filter { linked.isMarked(digest("linked", $0.bytes), at: now) }
        return (proofs.issued + remembered).contains { takeOwn($0) }
    }

    /// Takes one start from the budget of the device with that mark; returns `false` when it is used up.
    func takeOwn(_ mark: Digest256) -> Bool {
        guard let rates, let own = linkedUse else { return false }
        return own.take(digest("device", mark.bytes), rates.logins.initiatePerAddress, at: clock.now) == nil
    }

    /// Returns the error of a limit, and counts the refusal.
    func exceeded(_ limit: Limit, retryAfter: Duration) -> LimitExceededError {
        refused[limit]?.count.wrappingAdd(1, ordering: .relaxed)
        return LimitExceededError(limit: limit, retryAfter: retryAfter)
    }

    /// Turns the source's starts for the account through the client into decoys, for ``LoginRates/quietPeriod``.
    func hush(_ source: RequestSource, client: String, account: AccountID) {
        guard let rates else { return }
        quiet.mark(quietKey(of: source, client: client, account: account), until: clock.now + rates.logins.quietPeriod)
    }

    /// Whether the source's starts for the account through the client have to be decoys.
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
