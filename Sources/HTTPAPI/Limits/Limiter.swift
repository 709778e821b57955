import Kernel
import Operations

/// One limit of a feature, which counts the uses of each key in a table of its own.
///
/// The table is in memory and has a fixed size. A key is a digest, for example from ``LimitKeys``.
struct Limiter: Sendable {
    /// The limit's name in metrics, in the audit log and in the error.
    private let name: FixedLimit
    private let rate: RateLimit
    /// The time for which a key that has reached its limit is stopped; `nil` stops no keys.
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

    /// Counts a use of the key, and throws if that exceeds the limit.
    func take(_ key: UInt64) throws(APIError) {
        if let wait = note(key) { throw .rateLimited(for: wait, by: name) }
    }

    /// Throws for a key that is stopped or, without a pause, has reached its limit; counts nothing.
    func check(_ key: UInt64) throws(APIError) {
        let wait = if let pause { isStopped(key) ? pause : nil } else { uses.wait(key, rate, at: clock.now) }
        if let wait { throw .rateLimited(for: wait, by: name) }
    }

    /// Counts a use, and stops a key that has reached its limit.
    ///
    /// - Returns: The time that the key has to wait; `nil` for a use within the limit.
    @discardableResult
    func note(_ key: UInt64) -> Duration? {
        let now = clock.now
        guard let wait = uses.take(key, rate, at: now) else { return nil }
        guard let pause, let stopped else { return wait }
        stopped.mark(key, until: now + pause)
        return max(wait, pause)
    }

    /// Returns whether the key has reached its limit, and its pause has not ended.
    func isStopped(_ key: UInt64) -> Bool { stopped?.isMarked(key, at: clock.now) ?? false }

    /// Takes back a use that was counted.
    func giveBack(_ key: UInt64) { uses.giveBack(key, rate) }
}

/// Makes keys for limits with a secret of this process, so that a caller cannot choose its slot in a table.
struct LimitKeys: Sendable {
    private let hash: KeyedHash

    init(_ environment: Environment) { hash = KeyedHash(randomFrom: environment) }

    /// Returns the key of an address, or of an address and the thing that its caller names.
    func key(_ address: NetworkAddress?, _ named: String = "") -> UInt64 {
        let address = address?.counted.bytes ?? []
        return hash.digest([UInt8(address.count)], address, Array(named.utf8)).prefixWord
    }

    func key(_ account: AccountID) -> UInt64 { hash.digest(account.bits.bytes).prefixWord }
}
