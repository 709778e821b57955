import Dispatch
import Glibc
import Kernel

/// One connection of the pool with the thread that uses it.
///
/// Unchecked, because everything but ``number`` and ``queue`` is used only on ``queue``, which runs one block at a time.
final class PostgresLane: @unchecked Sendable {
    /// The lane's number among all daemons' lanes: from 256 times the daemon's slot.
    let number: Int
    let queue: DispatchQueue
    private let options: PostgresOptions
    private let environment: Environment
    private var current: PostgresConnection?
    /// Whether it was closed, after which it never connects again.
    private(set) var isClosed = false

    init(_ number: Int, options: PostgresOptions, environment: Environment) {
        self.number = number
        self.options = options
        self.environment = environment
        queue = DispatchQueue(label: "vestibule.postgresql.\(number)")
    }

    /// Whether there is a connection, as far as is known without asking the server.
    var isConnected: Bool { current?.isUsable ?? false }

    /// The time on the monotonic clock.
    var now: Uptime { environment.clock.now }

    /// The time after whose end a transaction is not run again.
    var limit: Duration { options.deadline }

    /// Returns the connection, after making one if there is none.
    ///
    /// A lane that was closed makes none.
    func connection() throws(PostgresError) -> PostgresConnection {
        guard !isClosed else { throw .lost(cause: "the database is closed") }
        if let current, current.isUsable { return current }
        current = nil
        let connection = try PostgresConnection(options, clock: environment.clock, ids: environment.ids)
        current = connection
        return connection
    }

    /// Undoes the transaction, if there is one.
    func undo() { current?.rollback() }

    /// Ends a transaction that only read.
    func finish() {
        do { _ = try current?.commit() } catch { undo() }
    }

    /// Closes the connection, and makes no other one.
    func close() {
        isClosed = true
        current?.close()
        current = nil
    }

    /// Blocks the lane's thread for between half of `time` and all of it, so that lanes that failed together do not try
    /// again together.
    ///
    /// `isOver`: asked now and then, to end the pause early.
    func pause(_ time: Duration, until isOver: () -> Bool = { false }) {
        var left = Double(time.wholeNanoseconds) / 1000 * (0.5 + environment.unitInterval() / 2)
        while left >= 1, !isOver() {
            usleep(UInt32(min(left, Self.slice)))
            left -= Self.slice
        }
    }

    /// The longest part of a pause that nothing ends, in microseconds.
    private static let slice: Double = 100_000
}
