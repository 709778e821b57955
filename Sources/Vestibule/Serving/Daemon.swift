import Admin
import Assembly
import Audit
import Glibc
import HTTPAPI
import Hummingbird
import HummingbirdTLS
import Kernel
import Logging
import Mail
import NIOCore
import OAuth
import Operations
import ServiceLifecycle
import Sessions
import Settings
import SignIn
import UnixSignals

/// The daemon: starts everything in order, and stops it in reverse.
struct Daemon {
    private let settings: Settings
    private let configFile: String?
    /// What operators are shown of the settings.
    private let shown: [SettingView]
    private let environment: Environment

    init(_ loaded: LoadedSettings, environment: Environment) {
        // A free port is chosen first, because addresses in responses contain it.
        settings = loaded.settings.listen.port == 0 ? loaded.settings(boundTo: FreePort.pick()) : loaded.settings
        configFile = loaded.file
        shown = SettingView.all(of: loaded)
        self.environment = environment
    }

    func run() async throws {
        // Other daemons reopen their logs on these signals. Here they have no function, and would end the process.
        for unused in [SIGUSR1, SIGUSR2] { signal(unused, SIG_IGN) }
        let logger = Self.logger(settings.log, clock: environment.clock)
        let admission = try OpenFiles.admit(settings)
        let folder = try DataFolder.open(settings.dataFolder)
        let lock = try folder.lock()
        defer { withExtendedLifetime(lock) {} }
        // Comes before anything is opened: a daemon whose lock file was deleted may still be running.
        try SocketFile(path: settings.adminSocket).clear()
        try settings.listenAddress.probe()
        if settings.metrics.enabled, settings.metrics.port != 0 { try settings.metrics.address.probe() }
        let composition = try Composition(
            settings,
            as: .daemon,
            configFile: configFile,
            environment: environment,
            logger: logger,
            migrating: true
        )
        let stop = ShutdownDeadline(settings.listen.drain.timeout, clock: environment.clock)
        do {
            // Comes before any row is written: the first audit row must say that checkpoints were begun.
            await composition.audit.checkpoints.begin()
            // Comes before anything is served: nothing else writes to the database meanwhile.
            await composition.reencryption?.run()
            // Comes before operations continue: a client may have to be told their outcome.
            try await composition.backchannel.service.restore()
            let count = try await composition.service.recover()
            logger.info("operations were read back", metadata: ["count": "\(count)"])
            try await composition.resumeEndings(logger)
            try await composition.passkeys.trust.load()
            try await composition.revokedSessions.restore(
                from: composition.stores.sessions.sessions,
                at: environment.now()
            )
            try await serve(composition, admission, stop: stop, logger: logger)
        } catch {
            await composition.shutdown(by: stop.deadline)
            throw Self.exit(for: error, settings)
        }
        await composition.shutdown(by: stop.deadline)
        logger.info("stopped")
    }

    private func serve(
        _ composition: Composition,
        _ admission: OpenFiles.Admission,
        stop: ShutdownDeadline,
        logger: Logger
    ) async throws {
        admission.tell(logger)
        let counts = ConnectionCounts(
            most: settings.limits.off ? nil : settings.listen.connections.mostPerAddress,
            trusted: settings.clientAddresses,
            spares: SpareFiles(),
            logger: logger
        )
        composition.metrics?.read(counts, allowed: admission.connections)
        let api = composition.http()
        let certificates = try settings.tls.map { try TLSCertificates($0) }
        let watcher = Watcher(service: composition.service)
        let audit = composition.audit
        let measuring: [any Service] =
            composition.metrics.map { registry in
                [MetricsServer(settings.metrics, registry: registry, logger: logger)]
            } ?? []
        let services: [any Service] =
            [Loop { [repeated = Self.repeated, clock = environment.clock] in await repeated.run(clock) }] + measuring
            + [
                // Stopped last, so that its last checkpoint covers the rows that other services write while they stop.
                Loop { await audit.checkpoints.run() },
                Loop { await composition.service.refusals.run() },
                Loop { await audit.retention.run() },
                Loop { await watcher.run() },
                Loop { await composition.followRevocations() },
                Loop { await composition.followKeys() },
                Loop { [oauth = composition.oauth] in await oauth.follow() },
                Loop { [worker = composition.mail.worker] in await worker.run() },
                Loop { [worker = composition.backchannel.worker(composition.core, results: api.backchannelResults)] in
                    await worker.run()
                },
                Loop { [worker = composition.logoutWorker()] in await worker.run() },
                Loop { [service = composition.backchannel.service] in await service.forgetEnded() },
                Loop { [retention = composition.retention] in await retention.run() },
                Loop { [rotation = composition.keyRotation] in await rotation.run() },
                Loop { [clock = environment.clock] in await composition.followEncryptionKeys(clock) },
                Loop { [clock = ClockWatch(environment: environment, logger: logger)] in await clock.run() },
                Loop { [clock = environment.clock] in await OpenFiles.watch(counts, clock) },
                Reloading(
                    certificates: certificates,
                    keys: composition.keys,
                    trust: composition.passkeys.trust,
                    presentation: composition.reloadPresentation,
                    logger: logger
                ),
                try AdminSocket(composition.administration(showing: shown), settings.listen.admin, logger: logger),
                Loop { [history = composition.history, clock = environment.clock] in await history?.run(clock) },
                try PublicServer(
                    settings,
                    responder: api.responder(),
                    certificates: certificates,
                    connections: admission.connections,
                    counts: counts,
                    logger: logger
                ) { composition.noteServing() },
                // Stopped first, because it is last in the list: parked polls are answered before the server waits for
                // open requests.
                Draining(
                    switch: api.drain,
                    notice: settings.listen.drain.notice,
                    clock: environment.clock,
                    stop: stop,
                    leave: composition.leave
                ),
            ]
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = settings.listen.drain.notice + settings.listen.drain.timeout
        try await ServiceGroup(configuration: configuration).run()
    }

    private static let repeated = RepeatedLines()

    private static func logger(_ settings: LogSettings, clock: any MonotonicClock) -> Logger {
        LoggingSystem.bootstrap { label in
            DeduplicatingLogHandler(StreamLogHandler.standardError(label: label), lines: repeated, clock: clock)
        }
        var logger = Logger(label: "vestibule")
        logger.logLevel = settings.level
        return logger
    }

    private static func exit(for error: any Error, _ settings: Settings) -> any Error {
        guard let fault = error as? IOError else { return error }
        return settings.listenAddress.exit(for: fault.errnoCode)
    }
}

extension Settings {
    fileprivate var listenAddress: ListenAddress {
        ListenAddress(section: "listen", host: listen.host, port: listen.port)
    }
}

/// A background loop that ends when the daemon stops.
private struct Loop: Service {
    let body: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown { await body() } }
}

/// Starts the drain when the daemon begins to stop: first for load balancers, then, with the listener, for all
/// clients.
private struct Draining: Service {
    let `switch`: DrainSwitch
    let notice: Duration
    let clock: any MonotonicClock
    let stop: ShutdownDeadline
    /// Hands the operations to other daemons.
    ///
    /// What still arrives is served all the same.
    let leave: @Sendable () -> Void

    func run() async throws {
        try? await gracefulShutdown()
        `switch`.announce()
        if notice > .zero { try? await clock.sleep(until: clock.now + notice) }
        leave()
        stop.begin()
        `switch`.drain()
    }
}

extension SettingView {
    /// Returns what operators are shown of the settings, each with its source and without secrets.
    static func all(of loaded: LoadedSettings) -> [SettingView] {
        ConfigPrinter(loaded: loaded).rows().map { SettingView(key: $0.key, value: $0.value, source: $0.source) }
    }
}
