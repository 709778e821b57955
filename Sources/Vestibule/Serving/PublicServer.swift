import HTTPAPI
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Kernel
import Logging
import NIOCore
import ServiceLifecycle
import Settings

/// The public HTTP server, with bounds on connections and idle time, and with TLS if configured.
struct PublicServer: Service {
    private let application: Application<PublicResponder>

    /// `connections`: the number of connections that may be open.
    ///
    /// `counts`: counts the connections.
    ///
    /// `whenListening`: called once, when the first request can arrive.
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
        // The framework logs single connections below notice level. Only its more severe messages are kept.
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
                    // Placed before the counts, which may accept connections again after a shortage of files.
                    try await LastConnections.handOver(from: channel)
                } catch {
                    // This fails only for a listener that is already closed.
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
