package import Kernel
import Synchronization

/// The source of a request for limits: a keyed digest of an address, network, mailbox or client, the same on all daemons
/// of a database.
package struct RequestSource: Hashable, Sendable {
    let digest: UInt64
}

/// The limits by address and by account, and the initiators that get decoys.
///
/// They are tables of fixed size in memory, under a secret key. The tables reveal no address, and an attacker can't aim
/// at another caller's entry. With other daemons on the same database, small limits are counted in the database too, and
/// larger ones are divided (``LimitSharing``). That of polls is neither: each daemon sees a share of a client's polls,
/// and a poll costs no statement.
package final class Limits: Sendable {
    /// `nil` for no limits, in benchmarks.
    package let rates: LimitRates?
    /// How this daemon shares limits with others, for the limits of other modules.
    package let sharing: LimitSharing
    private let tables: [Limit: LimitTable]
    /// The lifetime of a sign-in's device cookies, for which a mark is remembered without being a proof.
    private static let linkedFor: Duration = .seconds(90 * 24 * 3600)
    private let linked: UseTable
    private let linkedUse: LimitTable?
    private let quiet: UseTable
    private let refused: [Limit: Counted]

    private final class Counted: Sendable {
        let count = Atomic<Int>(0)
    }

    /// `stripes`: The number of separately locked parts of a limit's table, with 1,024 entries each.
    package init(_ rates: LimitRates?, sharing: LimitSharing, stripes: Int = 64) {
        self.rates = rates
        self.sharing = sharing
        // The budgets of an operation are kept in its cache entry.
        let byKey = rates == nil ? [] : Limit.allCases.filter { $0 != .pollsPerOperation }
        let tables = byKey.map { limit in
            let table = UseTable(stripes: stripes)
            return (limit, LimitTable(limit.rawValue, scope: limit.scope, sharing: sharing, table: table))
        }
        self.tables = Dictionary(tables, uniquingKeysWith: { first, _ in first })
        let fewer = max(1, stripes / 4)
        linked = UseTable(stripes: fewer, setsPerStripe: 64)
        linkedUse = rates.map { _ in
            let table = UseTable(stripes: fewer, setsPerStripe: 64)
            return LimitTable("initiate_per_device", scope: .divided, sharing: sharing, table: table)
        }
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
    /// - Throws: ``StoreError`` if the limit is counted in the database and can't be: the request has to be refused.
    func take(_ limit: Limit, _ source: RequestSource) async throws(StoreError) -> Duration? {
        try await take(limit, source.digest)
    }

    /// Takes one request from the source's budget at this daemon, without a statement.
    ///
    /// Only for a limit that is never counted in the database.
    func takeHere(_ limit: Limit, _ source: RequestSource) -> Duration? {
        guard let rates, let table = tables[limit] else { return nil }
        return table.takeHere(source.digest, rates[limit])
    }

    /// Takes one start from the budget of the typed e-mail address, whether an account has it or not.
    /// - Throws: ``StoreError``, as ``take(_:_:)-(_,RequestSource)`` does.
    func takeStart(email: String) async throws(StoreError) -> Duration? {
        try await take(.initiatePerAccount, key(ofStart: email))
    }

    /// Takes one start from that budget if no database has to be asked; returns `nil` if one has.
    func takeStartHere(email: String) -> TakenStart? {
        guard let rates, let table = tables[.initiatePerAccount] else { return TakenStart(wait: nil) }
        guard !isCommon(.initiatePerAccount) else { return nil }
        return TakenStart(wait: table.takeHere(key(ofStart: email), rates.logins.initiatePerAccount))
    }

    /// Takes one request from the session's budget.
    /// - Throws: ``StoreError``, as ``take(_:_:)-(_,RequestSource)`` does.
    func take(_ limit: Limit, _ session: SessionID) async throws(StoreError) -> Duration? {
        try await take(limit, digest("session", session.bits.bytes))
    }

    /// Whether the limit is counted in the database at the moment.
    package func isCommon(_ limit: Limit) -> Bool {
        guard let rates, let table = tables[limit] else { return false }
        return table.isCommon(rates[limit])
    }

    private func take(_ limit: Limit, _ key: UInt64) async throws(StoreError) -> Duration? {
        guard let rates, let table = tables[limit] else { return nil }
        return try await table.take(key, rates[limit])
    }

    private func key(ofStart email: String) -> UInt64 { digest("account", Array(email.utf8)) }

    private var now: Uptime { sharing.clock.now }

    /// Remembers the marks of a linked device's valid proofs.
    func noteLinked(_ marks: [Digest256]) {
        guard rates != nil else { return }
        for mark in marks { linked.mark(digest("linked", mark.bytes), until: now + Self.linkedFor) }
    }

    /// Takes one start from the budget of an issued cookie or of a remembered proof.
    /// - Returns: `false` without such a proof, or when its budget is used up.
    func takeLinked(_ proofs: PresentedProofs) -> Bool {
        let now = now
        let remembered = proofs.others.filter { linked.isMarked(digest("linked", $0.bytes), at: now) }
        return (proofs.issued + remembered).contains { takeOwn($0) }
    }

    /// Takes one start from the budget of the device with that mark; returns `false` when it is used up.
    func takeOwn(_ mark: Digest256) -> Bool {
        guard let rates, let own = linkedUse else { return false }
        return own.takeHere(digest("device", mark.bytes), rates.logins.initiatePerAddress) == nil
    }

    /// Returns the error of a limit, and counts the refusal.
    func exceeded(_ limit: Limit, retryAfter: Duration) -> LimitExceededError {
        refused[limit]?.count.wrappingAdd(1, ordering: .relaxed)
        return LimitExceededError(limit: limit, retryAfter: retryAfter)
    }

    /// Turns the source's starts for the account through the client into decoys, for ``LoginRates/quietPeriod``.
    ///
    /// - Returns: What to tell other daemons for ``hush(key:for:)``; `nil` without limits.
    func hush(_ source: RequestSource, client: String, account: AccountID) -> UInt64? {
        guard let rates else { return nil }
        let key = quietKey(of: source, client: client, account: account)
        hush(key: key, for: rates.logins.quietPeriod)
        return key
    }

    /// Does the same for a key that another daemon has told of, or for this one's own.
    func hush(key: UInt64, for time: Duration) { quiet.mark(key, until: now + time) }

    /// Whether the source's starts for the account through the client have to be decoys.
    func isQuiet(_ source: RequestSource, client: String, account: AccountID) -> Bool {
        rates != nil && quiet.isMarked(quietKey(of: source, client: client, account: account), at: now)
    }

    private func quietKey(of source: RequestSource, client: String, account: AccountID) -> UInt64 {
        digest(
            "quiet",
            withUnsafeBytes(of: source.digest.littleEndian) { Array($0) } + account.bits.bytes + Array(client.utf8)
        )
    }

    private func digest(_ purpose: String, _ bytes: [UInt8]) -> UInt64 {
        sharing.hash.digest(bytes, purpose: purpose).prefixWord
    }
}

/// A start that was taken from a budget; `wait` is the time until the next one is allowed if it was beyond the budget.
struct TakenStart: Sendable {
    let wait: Duration?
}

extension Limit {
    /// Who counts the limit's uses, if several daemons share a database.
    fileprivate var scope: LimitTable.Scope {
        switch self {
        // A poll of an unknown id counts against it, and no poll may cost a statement.
        case .strangersPerAddress: .divided
        case .initiatePerAddress, .initiatePerAccount, .pollsPerOperation, .openingsPerAddress,
            .registrationsPerAddress,
            .signInsPerAddress, .ownerViewsPerSession, .proofMailsPerAddress, .proofMailsPerMailbox,
            .backchannelPerClient:
            .allDaemons
        }
    }
}
