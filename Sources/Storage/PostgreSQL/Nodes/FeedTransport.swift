import Kernel

/// How the batches of a feed go from one daemon to the others, on one connection.
///
/// It is used by one thread.
protocol FeedTransport: AnyObject {
    /// Begins to receive: what is sent from now on arrives.
    func begin() throws

    /// Sends a batch, in a transaction of its own.
    func send(_ batch: FeedBatch) throws

    /// Returns the texts of the batches that have arrived, own ones included, after waiting for the first.
    ///
    /// `wake`: Ends the wait early.
    ///
    /// `limit`: The longest wait.
    func receive(until wake: WakeUp, within limit: Duration) throws -> [String]
}

extension PostgresNotices {
    /// Makes the transport on a connection that nothing else uses.
    func transport(on connection: PostgresConnection, clock: any MonotonicClock) -> any FeedTransport {
        switch self {
        case .listen: NotificationTransport(connection)
        case .poll: NoticeTable(connection, clock: clock)
        }
    }
}

/// Batches by LISTEN and NOTIFY.
final class NotificationTransport: FeedTransport {
    private static let channel = "vestibule"

    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    func begin() throws { _ = try connection.run("LISTEN \(Self.channel)") }

    func send(_ batch: FeedBatch) throws {
        _ = try connection.run("SELECT pg_notify('\(Self.channel)', ?)", [.text(batch.text)])
    }

    func receive(until wake: WakeUp, within limit: Duration) throws -> [String] {
        try connection.notifications(until: wake, within: limit)
    }
}
