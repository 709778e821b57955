/// Port: messages between the daemons that share a database.
///
/// A message can be lost. Then every listener gets ``FeedEvent/gap``, and reads again what it relies on.
package protocol ChangeFeed: Sendable {
    /// Sends a message within some milliseconds, after the change that it tells of has become durable.
    ///
    /// The caller never waits, and no error reaches it.
    func announce(_ message: FeedMessage)

    /// Returns the messages of other daemons from now on, for one more listener.
    ///
    /// Where there can be other daemons, the first event is a gap: what was read before may have changed since.
    func events() -> AsyncStream<FeedEvent>
}

/// What a listener learns.
package enum FeedEvent: Sendable, Equatable {
    case message(FeedMessage)
    /// Messages were lost, or may have been.
    ///
    /// It comes again every few seconds for as long as nothing can be received.
    case gap
}

/// The feed of the only daemon on a database.
package struct SilentFeed: ChangeFeed {
    package init() {}

    package func announce(_ message: FeedMessage) {}

    /// Nothing comes until the listener is cancelled.
    package func events() -> AsyncStream<FeedEvent> {
        // A stream whose continuation is gone would end.
        AsyncStream { continuation in continuation.onTermination = { _ in withExtendedLifetime(continuation) {} } }
    }
}
