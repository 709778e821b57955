import HTTPAPI
import Hummingbird
import Kernel
import Logging
import NIOCore
import ServiceLifecycle
import Settings
import Telemetry

/// Serves `GET /metrics` on a separate port, because people who may sign in should not be able to read it.
struct MetricsServer: Service {
    private static let silence = TimeAmount.seconds(75)

    private let application: Application<RouterResponder<BasicRequestContext>>
    private let address: ListenAddress

    init(_ settings: MetricsSettings, registry: MetricsRegistry, logger: Logger) {
        address = settings.address
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .notice)
        application = Application(
            responder: Self.router(registry).buildResponder(),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: ConnectionHandlers.make(silence: Self.silence),
                    idleTimeout: Self.silence
                )
            ),
            configuration: .init(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: .maximum(FileBudget.sideConnections, logger: quiet)
            ),
            onServerRunning: { channel in
                // This fails only for a listener that is already closed.
                try? await LastConnections.handOver(from: channel)
                let port = channel.localAddress?.port ?? settings.port
                StandardOutput.print("vestibule metrics on http://\(settings.host):\(port)/metrics")
            },
            logger: quiet
        )
    }

    func run() async throws {
        do { try await application.run() } catch let fault as IOError { throw address.exit(for: fault.errnoCode) }
    }

    static func router(_ registry: MetricsRegistry) -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.get("/metrics") { _, _ -> Response in
            Response(
                status: .ok,
                headers: [.contentType: MetricsRegistry.contentType, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: registry.text()))
            )
        }
        return router
    }
}

extension MetricsSettings {
    var address: ListenAddress { ListenAddress(section: "metrics", host: host, port: port) }
}
