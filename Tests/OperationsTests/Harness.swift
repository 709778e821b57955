import Kernel
import Logging
import MemoryStore
import Operations
import StoreContract
import Testing

/// A whole engine over an in-memory store, a scripted provider and virtual time.
struct Harness: Sendable {
    static let person = MemoryPerson(
        account: OperationSample.account,
        email: "robin@example.com",
        enrolment: "robin-at-provider",
        devices: [deviceCookie: OperationSample.device]
    )
    static let deviceCookie = Digest256(sha256: "a linked device")

    let time: VirtualTime
    let environment: Environment
    let disk: MemoryDisk
    let encryptor: MirrorEncryptor
    let provider: ScriptedFaceProvider
    /// Where scans begin while the other can't be asked; none unless the test wants one.
    let standby: ScriptedFaceProvider?
    /// Which accounts' passkeys pages ask for; `nil` where there are none.
    private let passkeys: (any ConfirmingPasskeys)?
    /// This engine among those that share the store.
    let nodes: ScriptedNodes?
    let feed = MemoryFeed()
    let service: OperationService
    let watcher: Watcher

    init(
        disk: MemoryDisk = MemoryDisk(people: [person]),
        provider: ScriptedFaceProvider = ScriptedFaceProvider(),
        standby: ScriptedFaceProvider? = nil,
        cadence: WatchCadence = WatchCadence(),
        passkeys: (any ConfirmingPasskeys)? = nil,
        nodes: ScriptedNodes? = nil,
        seed: UInt64 = 1
    ) {
        let time = VirtualTime()
        self.init(
            time: time,
            environment: time.environment(seed: seed),
            disk: disk,
            encryptor: MirrorEncryptor(),
            provider: provider,
            standby: standby,
            cadence: cadence,
            passkeys: passkeys,
            nodes: nodes
        )
    }

    private init(
        time: VirtualTime,
        environment: Environment,
        disk: MemoryDisk,
        encryptor: MirrorEncryptor,
        provider: ScriptedFaceProvider,
        standby: ScriptedFaceProvider?,
        cadence: WatchCadence,
        passkeys: (any ConfirmingPasskeys)?,
        nodes: ScriptedNodes?
    ) {
        self.time = time
        self.environment = environment
        self.disk = disk
        self.encryptor = encryptor
        self.provider = provider
        self.standby = standby
        self.passkeys = passkeys
        self.nodes = nodes
        let storage = disk.open()
        service = OperationService(
            environment: environment,
            cache: OperationCache(),
            ports: OperationPorts(
                unitOfWork: storage.unitOfWork,
                store: storage.operations,
                auditLog: storage.auditLog,
                accounts: AccountPorts(
                    subjects: storage.subjects,
                    sessions: storage.sessions,
                    activeSessions: storage.activeSessions,
                    enrolling: storage.enrolling,
                    passkeys: passkeys
                ),
                encryptor: encryptor,
                nodes: nodes ?? SingleNode(),
                feed: feed
            ),
            providers: ScanProviders(
                [provider] + (standby.map { [$0] } ?? []),
                login: provider.name,
                failover: standby.map { [$0.name] } ?? [],
                clock: environment.clock
            ),
            cadence: cadence,
            admission: AdmissionControl(environment: environment, tagged: Self.tagged),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        watcher = Watcher(service: service)
    }

    /// The tags of ids, which all engines over one store know.
    private static let tagged = TaggedIDs(key: Digest256(sha256: "the key of tags"))

    /// Kills this engine and starts another one over what it had committed.
    func restarted() async throws -> Harness {
        disk.crash()
        let next = beside(as: nodes)
        _ = try await next.service.recover()
        return next
    }

    /// Another engine over the same store and provider, at the same time.
    func beside(as nodes: ScriptedNodes?) -> Harness {
        Harness(
            time: time,
            environment: environment,
            disk: disk,
            encryptor: encryptor,
            provider: provider,
            standby: standby,
            cadence: WatchCadence(),
            passkeys: passkeys,
            nodes: nodes
        )
    }

    /// Lets time pass as the watcher's loop does, from one due check to the next.
    func pass(_ duration: Duration) async {
        let target = time.now + duration
        while true {
            for check in watcher.tick() { await watcher.check(check) }
            guard time.now < target else { return }
            let next = max(watcher.nextDue ?? target, time.now + .milliseconds(5))
            time.advance(by: min(next, target) - time.now)
        }
    }

    /// A login begun for the person.
    func begin(
        email: String = person.email,
        codeVerifier: String? = "verifier",
        policy: ClientPolicy = OperationSample.policy(),
        deviceCookie: Digest256? = nil
    ) async throws -> Login {
        let order = BeginOperation(
            email: email,
            policy: policy,
            codeChallenge: codeVerifier.map { Digest256(sha256: $0) },
            deviceProof: DeviceProof(cookies: deviceCookie.map { [$0] } ?? [])
        )
        return Login(begun: try await service.begin(order), codeVerifier: codeVerifier)
    }

    /// Opens the login's link; the reference of the scan that began.
    @discardableResult
    func open(_ login: Login, browser: String = "browser") async throws -> ProviderReference {
        let outcome = try await service.open(ticket: login.ticket, browserCookie: Secret(browser))
        guard case .toProvider = outcome else { throw UnexpectedResultError(what: "\(outcome)") }
        return try #require(provider.newest)
    }

    /// A login whose scan was accepted and that nobody has collected.
    func approved(codeVerifier: String? = "verifier") async throws -> Login {
        let login = try await begin(codeVerifier: codeVerifier)
        provider.answer(try await open(login), .approved)
        await pass(.seconds(6))
        try #require(state(of: login).name == .approved)
        return login
    }

    /// Where the store has the login.
    func stored(_ login: Login) throws -> Operation {
        try #require(disk.tables.operations[login.begun.operation.id])
    }

    func state(of login: Login) throws -> OperationState { try stored(login).state }

    func poll(_ login: Login, _ caller: Caller? = nil) async throws -> PollView {
        try #require(try await service.poll(login.publicID, caller ?? login.rightful))
    }

    /// The events in the audit about it.
    func environment(of login: Login) -> [OperationAuditEvent] {
        disk.tables.auditLog.filter { $0.subject == "\(login.begun.operation.id)" }.events(OperationAuditEvent.self)
    }

    /// The records in the audit of such events.
    func audited(_ event: OperationAuditEvent) -> [AuditRecord] {
        disk.tables.auditLog.filter { $0.event == event.rawValue }
    }

    /// What the last tally in the audit counts.
    var lastTally: [String: Int] {
        let counts = (audited(.tally).last?.detail ?? "").split(separator: " ").map { $0.split(separator: "=") }
        return counts.reduce(into: [:]) { $0[String($1[0])] = Int($1[1]) }
    }

    var sessionCount: Int { disk.tables.sessions.count }
}

struct UnexpectedResultError: Error {
    let what: String
}

/// A begun login and what its initiator holds.
struct Login: Sendable {
    let begun: BegunOperation
    let codeVerifier: String?

    var publicID: Digest256 { Digest256(sha256: begun.publicID) }
    var ticket: String { begun.ticket.expose() }

    /// The one who began it, from its usual address.
    var rightful: Caller {
        guard let codeVerifier else { return withCookie }
        return Caller(challenge: Digest256(sha256: codeVerifier), fingerprint: Digest256(sha256: "home"))
    }

    var withCookie: Caller {
        Caller(bindingCookie: Digest256(sha256: begun.bindingCookie.expose()), fingerprint: Digest256(sha256: "home"))
    }

    /// The id alone.
    static func bare(from address: String = "home") -> Caller { Caller(fingerprint: Digest256(sha256: address)) }
}

/// Holds its callers until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for one in waiting { one.resume() }
        waiting = []
    }
}

/// Gives way until `condition` holds; a test that waits in vain is stopped by its time limit.
func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

extension PollView {
    var grant: Grant? {
        if case .completed(let grant, _, _) = self { grant } else { nil }
    }

    var hint: PendingHint? {
        if case .pending(let hint, _, _) = self { hint } else { nil }
    }

    var failure: FailureCode? {
        if case .failed(let code, _) = self { code } else { nil }
    }

    var isDelivered: Bool {
        if case .delivered = self { true } else { false }
    }
}

extension OperationService {
    /// Ends all that is live of an account, as a remedy does; returns how many.
    func block(_ account: AccountID) async throws -> Int {
        let count = cache.live(of: account).count
        try await ports.unitOfWork.run { transaction in try self.end(.accountBlocked, of: account, in: transaction) }
        try await settle(.accountBlocked, of: account)
        return count - cache.live(of: account).count
    }
}
