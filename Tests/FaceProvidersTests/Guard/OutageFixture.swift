import FaceProviders
import Kernel
import Logging
import MemoryStore
import StoreContract
import Synchronization

@testable import Operations

/// An engine with a guarded provider over a store that is as quick as a dictionary.
struct OutageFixture<Provider: FaceProvider> {
    let time: MemoryStore.VirtualTime
    let environment: Environment
    let store = QuickStore()
    let provider: Provider
    let guarded: GuardedFaceProvider
    let service: OperationService
    let watcher: Watcher

    /// How coarsely time passes.
    let step: Duration

    init(
        _ provider: Provider,
        time: MemoryStore.VirtualTime = MemoryStore.VirtualTime(),
        policy: GuardPolicy = GuardPolicy(retries: 0),
        cadence: WatchCadence = WatchCadence(),
        step: Duration = .milliseconds(100)
    ) {
        self.provider = provider
        self.time = time
        self.step = step
        environment = time.environment()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        // Without retries nothing sleeps: a test that lets time pass waits for each check.
        guarded = GuardedFaceProvider(provider, policy, environment: environment, logger: logger)
        // Nobody is signed in here: those two ports are never asked.
        let others = MemoryDisk(people: []).open()
        service = OperationService(
            environment: environment,
            cache: OperationCache(),
            ports: OperationPorts(
                unitOfWork: store,
                store: store,
                auditLog: store,
                accounts: AccountPorts(
                    subjects: store,
                    sessions: store,
                    activeSessions: others.activeSessions,
                    enrolling: others.enrolling
                ),
                encryptor: MirrorEncryptor()
            ),
            providers: ScanProviders([guarded], login: guarded.name, clock: environment.clock),
            cadence: cadence,
            logger: logger
        )
        watcher = Watcher(service: service)
    }

    /// Puts logins at the provider, evenly over a time.
    func fill(_ count: Int, lifetime: Duration, over span: Duration, from first: Int = 0) async throws {
        for number in 0..<count {
            let id = UInt64(first + number)
            var draft = OperationSample.draft(id, createdAt: service.clock.now)
            draft.provider = guarded.name
            draft.deadline = draft.createdAt + lifetime
            draft.state = .pending(
                Scan(
                    reference: ProviderReference("scan-\(id)"),
                    browser: .zero,
                    attempt: 1,
                    startedAt: draft.createdAt,
                    progress: .userInProvider
                )
            )
            let operation = draft.operation
            store.put(operation)
            service.cache.put(operation)
            service.follow(operation)
            if number % 100 == 99 { await pass(span / (count / 100)) }
        }
    }

    /// Lets time pass, step by step.
    func pass(_ duration: Duration) async {
        let end = time.now + duration
        while true {
            var checks = watcher.tick()
            while !checks.isEmpty {
                for check in checks { await watcher.check(check) }
                checks = watcher.tick()
            }
            guard time.now < end else { return }
            time.advance(by: min(step, end - time.now))
            // Other tests share the threads, and have limits of their own.
            await Task.yield()
        }
    }
}

/// Every port of the store, over one dictionary and without a way back: no unit fails here.
final class QuickStore: UnitOfWork, OperationStore, LoginSubjects, SessionOpening, AuditLog {
    private final class Context {}

    private let rows = Mutex<[OperationRowID: Operation]>([:])
    private let approvals = Mutex(0)

    var ended: [Operation] { rows.withLock { $0.values.filter(\.state.isTerminal) } }
    var approvalCount: Int { approvals.withLock(\.self) }

    func put(_ operation: Operation) { rows.withLock { $0[operation.id] = operation } }

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let effects = DurableEffects()
        let value = try body(Transaction(context: Context(), effects: effects))
        effects.run()
        return value
    }

    func insert(_ operation: Operation, in transaction: borrowing Transaction) { put(operation) }

    func update(_ operation: Operation, over seq: Int64, in transaction: borrowing Transaction) -> Bool {
        rows.withLock { rows in
            guard rows[operation.id]?.seq == seq else { return false }
            rows[operation.id] = operation
            return true
        }
    }

    func bind(_ operations: Set<OperationRowID>, in transaction: borrowing Transaction) {
        rows.withLock { rows in for id in operations { rows[id] = rows[id]?.bound() } }
    }

    func findEnded(publicID: Digest256) async -> Operation? { nil }
    func find(row: OperationRowID) async -> Operation? { rows.withLock { $0[row] } }
    func find(row: OperationRowID, in transaction: borrowing Transaction) -> Operation? { rows.withLock { $0[row] } }
    func following(_ row: OperationRowID?, endedAfter: Instant, limit: Int) async -> [Operation] { [] }
    func live(of node: NodeName, after row: OperationRowID?, limit: Int) async -> [Operation] { [] }
    func liveVersions(of node: NodeName, after row: OperationRowID?, limit: Int) async -> [StoredVersion] { [] }
    func live(ofClient client: String, after last: Operation?, limit: Int) async throws -> [Operation] { [] }
    func live(ofAccount account: AccountID, in transaction: borrowing Transaction) -> [Operation] { [] }
    func find(publicID: Digest256) async -> Operation? { nil }
    func find(ticket: Digest256) async -> (operation: Operation, browser: Digest256?)? { nil }
    func list(_ filter: OperationFilter) async -> [Operation] { [] }
    func listEnded(of account: AccountID, limit: Int) async -> [Operation] { [] }
    func listEnrolments(_ filter: EnrolmentFilter) async -> [Operation] { [] }
    func claim(
        _ scan: Digest256,
        for operation: OperationRowID,
        face: String?,
        in transaction: borrowing Transaction
    ) -> Bool { true }
    func face(of scan: Digest256, in transaction: borrowing Transaction) -> String? { nil }
    func claimant(of scan: Digest256, in transaction: borrowing Transaction) -> OperationRowID? { nil }
    func subject(for order: SubjectQuery, in transaction: borrowing Transaction) -> SubjectFinding {
        SubjectFinding(subject: nil, isLinked: false)
    }
    func recognises(_ signature: DeviceSignature, of client: String) -> Bool { false }
    func normalised(_ email: String) -> String { email }
    func enrolment(of account: AccountID, at provider: ProviderName) async -> EnrolledFace? { nil }
    func face(of account: AccountID, at provider: ProviderName, in transaction: borrowing Transaction) -> FaceInForce? {
        FaceInForce(mark: "", origin: nil)
    }
    func open(_ order: SessionRequest, in transaction: borrowing Transaction) -> SessionVerdict { .refused }
    func review(_ grant: Grant, of account: AccountID, under policy: ClientPolicy) async -> SessionVerdict { .refused }
    func append(_ record: AuditRecord, in transaction: borrowing Transaction) {
        if record.event == OperationAuditEvent.approved.rawValue { approvals.withLock { $0 += 1 } }
    }
}
