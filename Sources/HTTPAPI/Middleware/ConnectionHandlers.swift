package import NIOCore

/// What every connection has between the reading of HTTP and the answers.
package enum ConnectionHandlers {
    /// In which a body has to come: the largest, of 64 KiB, at 35 kbit/s.
    private static let bodyTime = TimeAmount.seconds(15)

    /// For one connection; `silence`: until one that is silent is closed; `needsHost`: `false` on a Unix socket, where
    /// clients have no host to name.
    package static func make(silence: TimeAmount, needsHost: Bool = true) -> [any RemovableChannelHandler] {
        [
            RequestRulesPlacing(needsHost: needsHost), PresenceHandler(), BodyDeadline(min(bodyTime, silence)),
            UnreadAnswers(silence),
        ]
    }
}
