import Kernel
import Operations

/// One limit of a feature, which counts the uses of each key.
///
/// Uses are counted in a table of fixed size in memory. With other daemons on the same database, a limit with a burst
/// of at most ``LimitSharing/largestCounted`` is counted in the database too, and a larger one is divided among them. A
/// key is a digest, for example from ``LimitKeys``.
///
/// Every method that asks the database throws `store_unavailable` when it can't count, so that nothing is admitted
/// uncounted.
struct Limiter: Sendable {
    /// The limit's name in metrics, in the audit log and in the error.
    private let name: FixedLimit
    private let rate: RateLimit
    /// The time for which a key that has reached its limit is stopped; `nil` stops no keys.
    private let pause: Duration?
    private let uses: LimitTable
    private let stopped: LimitTable?

    /// `part`: Tells the limits of one name apart in the database.
    ///
    /// `scope`: Who counts, if several daemons share the database.
    ///
    /// `stripes` and `setsPerStripe` are the size of the table (``UseTable``).
    init(
        _ name: FixedLimit,
        _ rate: RateLimit,
        part: String = "",
        scope: LimitTable.Scope = .allDaemons,
        pausing pause: Duration? = nil,
        sharing: LimitSharing,
        stripes: Int = 16,
        setsPerStripe: Int = 64
    ) {
        self.name = name
        self.rate = rate
        self.pause = pause
        let stored = part.isEmpty ? name.rawValue : "\(name.rawValue) \(part)"
        let table = UseTable(stripes: stripes, setsPerStripe: setsPerStripe)
        uses = LimitTable(stored, scope: scope, sharing: sharing, table: table)
        stopped = pause.map { _ in
            let table = UseTable(stripes: 16, setsPerStripe: 64)
            return LimitTable("\(stored) stopped", scope: scope, sharing: sharing, table: table)
        }
    }

    /// Counts a use of the key, and throws if that exceeds the limit.
    func take(_ key: UInt64) async throws(APIError) {
        if let wait = try await note(key) { throw .rateLimited(for: wait, by: name) }
    }

    /// Throws for a key that is stopped or, without a pause, has reached its limit; counts nothing.
    func check(_ key: UInt64) async throws(APIError) { try await Self.check([(self, key)]) }

    /// Checks a key of each limit, as ``check(_:)`` does, with one statement for all of them.
    static func check(_ keys: [(limiter: Limiter, key: UInt64)]) async throws(APIError) {
        for (limiter, key) in keys { try limiter.checkHere(key) }
        let asked = keys.compactMap { limiter, key in
            limiter.question(key).map { (limiter: limiter, key: key, question: $0) }
        }
        guard !asked.isEmpty else { return }
        let paid: [Duration]
        do throws(StoreError) { paid = try await LimitTable.ask(asked.map(\.question)) } catch { throw error.apiError }
        for (check, paid) in zip(asked, paid) { try check.limiter.check(check.key, paidFor: paid) }
    }

    /// Counts a use, and stops a key that has reached its limit.
    ///
    /// - Returns: The time that the key has to wait; `nil` for a use within the limit.
    @discardableResult
    func note(_ key: UInt64) async throws(APIError) -> Duration? {
        do throws(StoreError) {
            guard let wait = try await uses.take(key, rate) else { return nil }
            guard let pause, let stopped else { return wait }
            // Other daemons know of a key that was stopped before, so that repeating it asks nobody.
            if stopped.isMarkedHere(key) {
                stopped.markHere(key, for: pause)
            } else {
                try await stopped.mark(key, for: pause, past: rate)
            }
            return max(wait, pause)
        } catch { throw error.apiError }
    }

    /// Returns whether this daemon knows that the key has reached its limit, and its pause has not ended.
    func isStoppedHere(_ key: UInt64) -> Bool { stopped?.isMarkedHere(key) ?? false }

    /// Takes back a use that was counted.
    ///
    /// A use that the database can't take back stays counted, because what was done meanwhile is not undone for it.
    func giveBack(_ key: UInt64) async { try? await uses.giveBack(key, rate) }

    /// Counts a use in this daemon's table only.
    func noteHere(_ key: UInt64) {
        guard uses.takeHere(key, rate) != nil, let pause, let stopped else { return }
        stopped.markHere(key, for: pause)
    }

    /// Throws where ``check(_:)`` would without asking the database.
    func checkHere(_ key: UInt64) throws(APIError) {
        let wait = if let pause { isStoppedHere(key) ? pause : nil } else { uses.waitHere(key, rate) }
        if let wait { throw .rateLimited(for: wait, by: name) }
    }

    private func question(_ key: UInt64) -> LimitTable.Question? { (stopped ?? uses).question(key, rate) }

    /// Throws if the time for which the database has the key as paid or marked reaches the limit.
    private func check(_ key: UInt64, paidFor paid: Duration) throws(APIError) {
        if let pause, let stopped {
            guard paid > .zero else { return }
            stopped.markHere(key, for: paid)
            throw .rateLimited(for: pause, by: name)
        }
        guard let wait = rate.wait(paidFor: paid) else { return }
        uses.exhaust(key, rate, for: wait)
        throw .rateLimited(for: wait, by: name)
    }
}

/// Makes keys for limits, the same on all daemons, with a secret so that a caller cannot choose its slot in a table.
struct LimitKeys: Sendable {
    private let hash: KeyedHash

    init(_ sharing: LimitSharing) { hash = sharing.hash }

    /// Returns the key of an address, or of an address and the thing that its caller names.
    func key(_ address: NetworkAddress?, _ named: String = "") -> UInt64 {
        let address = address?.counted.bytes ?? []
        return hash.digest([UInt8(address.count)] + address + Array(named.utf8), purpose: "caller").prefixWord
    }

    func key(_ account: AccountID) -> UInt64 { hash.digest(account.bits.bytes, purpose: "owner").prefixWord }
}
