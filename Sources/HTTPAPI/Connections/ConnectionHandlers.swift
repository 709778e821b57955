package import NIOCore

/// The handlers of every connection between the decoder of HTTP and the answers.
package enum ConnectionHandlers {
    /// The time in which a header section has to arrive.
    private static let headerTime = TimeAmount.seconds(10)
    /// The time in which a body has to arrive: the largest, of 64 KiB, at 35 kbit/s.
    private static let bodyTime = TimeAmount.seconds(15)
    /// The time in which a client has to take something of what waits for it.
    private static let readTime = TimeAmount.seconds(30)
    /// The time for requests that were sent before the server began to stop.
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
