import Admin
import Console
import HTTPAPI
import Hummingbird
import Kernel
import Logging
import NIOCore
import ServiceLifecycle
import Settings
import UnixSignals

/// Serves a console on the loopback address until it is over, or until a signal.
struct ConsoleServer {
    private static let silence = TimeAmount.seconds(75)
    /// A browser needs few connections, and another user of the machine must not use up the files.
    private static let connections = 32

    private let access: ConsoleAccess
    private let link: Secret
    private let executor: any CommandExecutor
    private let environment: Kernel.Environment
    private let opensBrowser: Bool

    init(
        _ access: ConsoleAccess,
        link: Secret,
        executor: any CommandExecutor,
        environment: Kernel.Environment,
        opensBrowser: Bool
    ) {
        self.access = access
        self.link = link
        self.executor = executor
        self.environment = environment
        self.opensBrowser = opensBrowser
    }

    func run(on port: Int) async throws {
        var logger = Logger(label: "vestibule.console") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let origin = ConsoleOrigin()
        // Asked once: the owner of a daemon does not change while it runs.
        let owner = try? await executor.execute(ShowStatus()).process.owner
        let application = application(origin, owner, port: port, logger: logger)
        let ending = Ending(access: access)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: application),
                .init(service: ending, successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        do { try await ServiceGroup(configuration: configuration).run() } catch let fault as IOError {
            let address = ListenAddress(section: "console", host: ConsoleOrigin.host, port: port)
            throw address.exit(for: fault.errnoCode)
        }
    }

    private func application(
        _ origin: ConsoleOrigin,
        _ owner: OwnerView?,
        port: Int,
        logger: Logger
    ) -> some ApplicationProtocol {
        Application(
            responder: Console(
                access,
                origin: origin,
                owner: owner,
                executor: executor,
                input: ConsoleInput(duration: DurationText.parse),
                environment: environment,
                logger: logger
            ),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: ConnectionHandlers.make(silence: Self.silence),
                    idleTimeout: Self.silence
                )
            ),
            configuration: .init(
                address: .hostname(ConsoleOrigin.host, port: port),
                availableConnectionsDelegate: .maximum(Self.connections, logger: logger)
            ),
            onServerRunning: { [link, opensBrowser] channel in
                // This fails only for a listener that is already closed.
                try? await LastConnections.handOver(from: channel)
                guard let port = channel.localAddress?.port else { return }
                origin.listen(on: port)
                let address = origin.text + RequestGate.entrance + link.expose()
                Self.tell(address, port: port)
                if opensBrowser { BrowserOpening.open(address) }
            },
            logger: logger
        )
    }

    private static func tell(_ address: String, port: Int) {
        StandardOutput.print("The console is open. This link works once, within 60 seconds:")
        StandardOutput.print("  \(address)")
        StandardOutput.print("From another machine, run this there first, and then open the link there:")
        StandardOutput.print("  ssh -N -L \(port):\(ConsoleOrigin.host):\(port) USER@THIS-MACHINE")
        StandardOutput.print("Stop it with Ctrl-C. It stops by itself after 15 idle minutes.")
    }

    /// Stops the server when its session is over.
    private struct Ending: Service {
        let access: ConsoleAccess

        func run() async throws {
            try? await cancelWhenGracefulShutdown { [access] in try await access.waitForEnd() }
            access.close()
        }
    }
}
