import HTTPAPI
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Kernel
import Logging
import NIOCore
import ServiceLifecycle
import Settings

/// The public HTTP server: bounded in connections and idle time, with TLS where the config has it.
struct PublicServer: Service {
    private let application: Application<PublicResponder>

    /// `connections`: how many may be open; `counts`: what counts them; `whenListening`: called once, when the first
    /// request can come.
    init(
        _ settings: Settings,
        responder: PublicResponder,
        certificates: TLSCertificates?,
        connections: Int,
        counts: ConnectionCounts,
        logger: Logger,
        whenListening: @escaping @Sendable () -> Void
    ) throws {
        let listen = settings.listen
        let silence = TimeAmount.nanoseconds(listen.connections.idleTimeout.wholeNanoseconds)
        let plain = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: ConnectionHandlers.make(silence: silence),
                idleTimeout: silence,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024,
                    maxHeaderListSize: 32 * 1024,
                    maxHeaderFieldCount: 100
                )
            )
        )
        let server = try certificates.map { try HTTPServerBuilder.tls(plain, tlsConfiguration: $0.configuration) }
        // The framework's own messages are about connections; its errors matter, its chatter does not.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .notice)
        application = Application(
            responder: responder,
            server: server ?? plain,
            configuration: .init(
                address: .hostname(listen.host, port: listen.port),
                backlog: listen.connections.backlog,
                availableConnectionsDelegate: .maximum(connections, logger: quiet)
            ),
            onServerRunning: { channel in
                do {
                    try await counts.watch(channel)
                    // In front of the counts, which may ask for connections again after a shortage of files.
                    try await LastConnections.handOver(from: channel)
                } catch {
                    // Only a listener that is closed again has no place for it.
                    logger.error("connections are not counted", metadata: ["cause": "\(error)"])
                }
                whenListening()
                let scheme = certificates == nil ? "http" : "https"
                StandardOutput.print(
                    "vestibule listening on \(scheme)://\(listen.host):\(listen.port) (\(settings.publicURL))"
                )
            },
            logger: quiet
        )
    }

    func run() async throws { try await application.run() }
}
