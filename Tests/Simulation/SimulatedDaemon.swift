import Kernel
import Logging
import MemoryStore
import Operations

/// One daemon of a history: its engine, and what the history knows of it.
struct SimulatedDaemon {
    let environment: Environment
    let storage: MemoryStorage
    let service: OperationService
    let watcher: Watcher
    let intake: WebhookIntake
    /// The number of its life, which no other life has, of this daemon or of another.
    var life: Int
    var lifeBegan = Uptime(nanoseconds: 0)
    /// When the watcher looked at the time last.
    var lastTick = Uptime(nanoseconds: 0)
    /// Whose starts have to be decoys here, until when.
    var quiet: [Initiator: Uptime] = [:]
    /// Its place among several; `nil` for the only one.
    var peer: ClusterPeer?

    /// A daemon as it starts, over what the disk has.
    init(
        _ environment: Environment,
        disk: MemoryDisk,
        providers: [SimulatedProvider],
        as peer: ClusterPeer? = nil
    ) {
        let storage = disk.open()
        let providers = peer.map { peer in providers.map { $0.asked(in: peer.life) } } ?? providers
        let service = Self.service(storage, environment, providers, peer)
        self.environment = environment
        self.storage = storage
        self.service = service
        self.peer = peer
        life = peer?.life ?? 1
        watcher = Watcher(service: service)
        intake = History.intake(for: service, environment: environment, providers: providers)
    }

    private static func service(
        _ storage: MemoryStorage,
        _ environment: Environment,
        _ providers: [SimulatedProvider],
        _ peer: ClusterPeer?
    ) -> OperationService {
        OperationService(
            environment: environment,
            cache: OperationCache(shardCount: 2),
            ports: OperationPorts(
                unitOfWork: storage.unitOfWork,
                store: storage.operations,
                auditLog: storage.auditLog,
                accounts: AccountPorts(
                    subjects: storage.subjects,
                    sessions: storage.sessions,
                    activeSessions: storage.activeSessions,
                    enrolling: storage.enrolling
                ),
                // Each life has the same key.
                encryptor: MirrorEncryptor(),
                nodes: peer?.node ?? SingleNode(),
                feed: peer?.feed ?? SilentFeed()
            ),
            providers: ScanProviders(
                providers,
                login: providers[0].name,
                failover: [SimulatedProvider.standby],
                clock: environment.clock
            ),
            cadence: WatchCadence(),
            admission: admission(environment, isShared: peer != nil),
            logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// The limits; daemons that share a store have the same keys of sources and of ids.
    private static func admission(_ environment: Environment, isShared: Bool) -> AdmissionControl {
        guard isShared else { return AdmissionControl(History.rates, environment: environment, stripes: 1) }
        return AdmissionControl(
            History.rates,
            environment: environment,
            stripes: 1,
            sharing: LimitSharing(
                KeyedHash(key: Digest256(sha256: "the key of limits")),
                uses: nil,
                nodes: SingleNode(),
                clock: environment.clock
            ),
            tagged: TaggedIDs(key: Digest256(sha256: "the key of tags"))
        )
    }
}

extension History {
    var service: OperationService { daemons[current].service }
    var watcher: Watcher { daemons[current].watcher }
    var life: Int { daemons[current].life }
    /// The daemon's clocks and randomness.
    var environment: Environment { daemons[current].environment }

    /// Runs `body` as that daemon.
    func at<T>(_ daemon: Int, _ body: () async -> T) async -> T {
        let before = current
        current = daemon
        defer { current = before }
        return await body()
    }
}
