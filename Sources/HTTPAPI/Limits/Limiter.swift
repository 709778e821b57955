import Kernel
import Operations

/// One limit of a feature: how often a key may do something, counted in a table of its own.
///
/// The table is in memory and has a fixed size. A key is a digest, such as ``LimitKeys`` makes.
struct Limiter: Sendable {
    /// The limit's name in metrics, in the audit and in the refusal.
    private let name: FixedLimit
    private let rate: RateLimit
    /// The time for which a key is stopped that has used its limit up; `nil` stops none.
    private let pause: Duration?
    private let clock: any MonotonicClock
    private let uses: UseTable
    private let stopped: UseTable?

    /// `stripes` and `setsPerStripe` are the size of the table (``UseTable``).
    init(
        _ name: FixedLimit,
        _ rate: RateLimit,
        pausing pause: Duration? = nil,
        clock: any MonotonicClock,
        stripes: Int = 16,
        setsPerStripe: Int = 64
    ) {
        self.name = name
        self.rate = rate
        self.pause = pause
        self.clock = clock
        uses = UseTable(stripes: stripes, setsPerStripe: setsPerStripe)
        stopped = pause.map { _ in UseTable(stripes: 16, setsPerStripe: 64) }
    }

    /// Takes one of what the key is allowed.
    func take(_ key: UInt64) throws(APIError) {
        if let wait = note(key) { throw .rateLimited(for: wait, by: name) }
    }

    /// Throws for a key that is stopped or, where none is stopped, has used its limit up; counts nothing.
    func check(_ key: UInt64) throws(APIError) {
        let wait = if let pause { isStopped(key) ? pause : nil } else { uses.wait(key, rate, at: clock.now) }
        if let wait { throw .rateLimited(for: wait, by: name) }
    }

    /// Counts a use, and stops a key that has used its limit up.
    ///
    /// - Returns: How long the key has to wait; `nil` for a use that is within the limit.
    @discardableResult
    func note(_ key: UInt64) -> Duration? {
        let now = clock.now
        guard let wait = uses.take(key, rate, at: now) else { return nil }
        guard let pause, let stopped else { return wait }
        stopped.mark(key, until: now + pause)
        return max(wait, pause)
    }

    /// Whether the key has used its limit up, and the pause has not passed since.
    func isStopped(_ key: UInt64) -> Bool { stopped?.isMarked(key, at: clock.now) ?? false }

    /// Returns a use that was taken.
    func giveBack(_ key: UInt64) { uses.giveBack(key, rate) }
}

/// Makes the keys by which limits count, under a key of this process: a caller can't choose its slot in a table.
struct LimitKeys: Sendable {
    private let hash: KeyedHash

    init(_ environment: Environment) { hash = KeyedHash(randomFrom: environment) }

    /// Returns the key of an address, or of what a caller at that address names.
    func key(_ address: NetworkAddress?, _ named: String = "") -> UInt64 {
        let address = address?.counted.bytes ?? []
        return hash.digest([UInt8(address.count)], address, Array(named.utf8)).prefixWord
    }

    func key(_ account: AccountID) -> UInt64 { hash.digest(account.bits.bytes).prefixWord }
}
