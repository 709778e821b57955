package import NIOCore

/// The channel handlers of every connection, between the HTTP decoder and the routes.
package enum ConnectionHandlers {
    /// The longest time for a header section to arrive.
    private static let headerTime = TimeAmount.seconds(10)
    /// The longest time for a body to arrive: the largest, of 64 KiB, needs 35 kbit/s.
    private static let bodyTime = TimeAmount.seconds(15)
    /// The longest time in which a client takes none of the bytes that wait for it.
    private static let readTime = TimeAmount.seconds(30)
    /// How long a stopping server still waits for requests that clients sent before the stop.
    private static let grace = TimeAmount.milliseconds(300)

    /// Returns the handlers for one connection.
    ///
    /// `silence`: The time after which a silent connection is closed.
    ///
    /// `needsHost`: `false` on a Unix socket, where clients have no host to name.
    package static func make(silence: TimeAmount, needsHost: Bool = true) -> [any RemovableChannelHandler] {
        [
            RequestRulesInstaller(
                needsHost: needsHost,
                headerTime: min(headerTime, silence),
                readTime: min(readTime, silence)
            ), PresenceHandler(), BodyDeadline(min(bodyTime, silence)), UnreadAnswers(silence), LastRequests(grace),
        ]
    }
}
