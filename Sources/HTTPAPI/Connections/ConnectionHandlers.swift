package import NIOCore

/// What every connection has between the reading of HTTP and the answers.
package enum ConnectionHandlers {
    /// In which a header section has to come.
    private static let headerTime = TimeAmount.seconds(10)
    /// In which a body has to come: the largest, of 64 KiB, at 35 kbit/s.
    private static let bodyTime = TimeAmount.seconds(15)
    /// In which a client has to take something of what waits for it.
    private static let readTime = TimeAmount.seconds(30)
    /// For requests that were on their way when the server began to stop.
    private static let grace = TimeAmount.milliseconds(300)

    /// For one connection; `silence`: until one that is silent is closed; `needsHost`: `false` on a Unix socket, where
    /// clients have no host to name.
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
