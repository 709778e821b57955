import FaceProviders
import Kernel
import Logging
import MemoryStore
import StoreContract
import Synchronization
import Testing

@testable import Operations

/// Ten thousand logins whose provider goes away for an hour, in virtual time.
@Suite(.timeLimit(.minutes(15))) struct OutageTests {
    private static let count = 10_000

    @Test func `an hour's outage with ten thousand live logins costs probes, no memory, and no login`() async throws {
        // Checks are rarer than in earnest, so that an hour of them ends in seconds; the other test has the real cadence.
        let bench = OutageBench(cadence: WatchCadence(cold: .seconds(600)), step: .milliseconds(500))
        // A thousand more end within the hour, each at its own deadline.
        try await bench.fill(Self.count, lifetime: .seconds(7200), over: .seconds(600))
        try await bench.fill(1000, lifetime: .seconds(1800), over: .seconds(60), from: Self.count)
        await bench.pass(.seconds(660))
        #expect(bench.provider.checkCount > Self.count, "it was well")
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        await bench.pass(.seconds(30))
        #expect(bench.guarded.circuit != .closed)
        let before = bench.provider.checkCount
        for minute in 1...60 {
            await bench.pass(.seconds(60))
            #expect(bench.desk.plannedVisits == bench.desk.board.count, "one visit an operation, in minute \(minute)")
            #expect(bench.desk.schedule.heapCount <= 2 * bench.desk.board.count + 1024, "and no heap of stale ones")
        }
        // A pause is 4.5 s at least, and a probe may have to wait for the next check to be due.
        #expect(
            (600...800).contains(bench.provider.checkCount - before),
            "\(bench.provider.checkCount - before) probes"
        )
        let ended = bench.store.ended
        #expect(ended.count == 1000)
        for operation in ended {
            guard case .failed(.providerUnavailable, let at) = operation.state else {
                Issue.record("\(operation.state)")
                return
            }
            #expect(at >= operation.deadline && at < operation.deadline + .seconds(1))
        }
        bench.provider.fail(with: nil)
        bench.provider.answerAll(.approved)
        // The longest way back of what was held back last is one and a half cadences.
        let asked = await bench.calls(each: .seconds(10), for: .seconds(910))
        #expect(bench.guarded.circuit == .closed)
        #expect(asked.reduce(0, +) == Self.count, "each is asked about once, and then decided")
        // 10,000 in 600 s are 167 in ten, and a herd would be all of them at once.
        #expect((asked.max() ?? 0) <= 250, "\(asked)")
        // Those that were due before a probe found it well are the last.
        let least = asked.dropFirst(2).prefix(28).min() ?? 0
        #expect(least > 80, "nor is anybody made to wait for the others: \(asked)")
        #expect(bench.store.approvalCount == Self.count, "all who were scanned are let in")
    }

    @Test func `a crowd that was stopped together comes back apart`() async throws {
        let bench = OutageBench()
        try await bench.fill(Self.count / 2, lifetime: .seconds(900), over: .seconds(5))
        await bench.pass(.seconds(5))
        // For want of answers all are overdue at once, as when a provider hangs and takes every place.
        bench.provider.fail(with: .unavailable(cause: "hangs"))
        bench.time.advance(by: .seconds(10))
        await bench.pass(.seconds(15))
        #expect(bench.guarded.circuit != .closed)
        bench.provider.fail(with: nil)
        // 5,000 in 5 s are 100 in 100 ms on the average.
        let started = await bench.calls(each: .milliseconds(100), for: .seconds(15))
        let most = started.max() ?? 0
        #expect(bench.guarded.circuit == .closed)
        #expect(most <= 200, "\(started)")
        #expect(started.suffix(50).reduce(0, +) > 4000, "all are asked about again")
        #expect(bench.store.ended.isEmpty)
    }
}

/// An engine with a guarded provider over a store that is as quick as a dictionary.
private struct OutageBench {
    let time = MemoryStore.VirtualTime()
    let facts: Facts
    let store = QuickStore()
    let provider = AnsweringProvider()
    let guarded: GuardedFaceProvider
    let desk: OperationDesk
    let watcher: Watcher

    /// How coarsely time passes.
    private let step: Duration

    init(cadence: WatchCadence = WatchCadence(), step: Duration = .milliseconds(100)) {
        self.step = step
        facts = time.facts()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        // Nothing sleeps here: whoever lets time pass waits for each visit.
        guarded = GuardedFaceProvider(provider, GuardPolicy(retries: 0), facts: facts, logger: logger)
        // Nobody is signed in here: those two ports are never asked.
        let others = MemoryDisk(people: []).open()
        desk = OperationDesk(
            facts: facts,
            board: LiveBoard(),
            unitOfWork: store,
            store: store,
            subjects: store,
            sessions: store,
            standing: others.standing,
            enrolling: others.enrolling,
            journal: store,
            providers: [guarded],
            loginProvider: guarded.name,
            cadence: cadence,
            logger: logger
        )
        watcher = Watcher(desk: desk)
    }

    /// Puts logins at the provider, evenly over a time.
    func fill(_ count: Int, lifetime: Duration, over span: Duration, from first: Int = 0) async throws {
        for number in 0..<count {
            let id = UInt64(first + number)
            var stored = OperationSample.stored(id, createdAt: desk.clock.now)
            stored.provider = guarded.name
            stored.deadline = stored.createdAt + lifetime
            stored.state = .pending(
                Scan(
                    reference: ProviderReference("scan-\(id)"),
                    browser: .zero,
                    attempt: 1,
                    startedAt: stored.createdAt,
                    progress: .userInProvider
                )
            )
            let operation = Operation(stored: stored)
            store.put(operation)
            desk.board.put(operation)
            desk.follow(operation)
            if number % 100 == 99 { await pass(span / (count / 100)) }
        }
    }

    /// Lets time pass, step by step.
    func pass(_ duration: Duration) async {
        let end = time.now + duration
        while true {
            var visits = watcher.beat()
            while !visits.isEmpty {
                for visit in visits { await watcher.visit(visit) }
                visits = watcher.beat()
            }
            guard time.now < end else { return }
            time.advance(by: min(step, end - time.now))
            // Other tests share the threads, and have limits of their own.
            await Task.yield()
        }
    }

    /// How many checks reached the provider in each `span` of that time.
    func calls(each span: Duration, for duration: Duration) async -> [Int] {
        var counts: [Int] = []
        let end = time.now + duration
        while time.now < end {
            let before = provider.checkCount
            await pass(span)
            counts.append(provider.checkCount - before)
        }
        return counts
    }
}

/// Answers at once, the same for all.
private final class AnsweringProvider: FaceProvider {
    let name = ProviderName("answering")
    let checkConcurrency = 32
    private let state = Mutex<(answer: Result<ScanStatus, ProviderFailure>, checks: Int)>(
        (.success(.pending(.userInProvider)), 0)
    )

    var checkCount: Int { state.withLock(\.checks) }

    func fail(with failure: ProviderFailure?) {
        state.withLock { $0.answer = failure.map { .failure($0) } ?? .success(.pending(.userInProvider)) }
    }

    func answerAll(_ status: ScanStatus) { state.withLock { $0.answer = .success(status) } }

    func begin(_ request: ScanRequest) async throws(ProviderFailure) -> StartedScan {
        throw .refused(cause: "not in this test")
    }

    func check(_ reference: ProviderReference) async throws(ProviderFailure) -> ScanStatus {
        let answer = state.withLock { state in
            state.checks += 1
            return state.answer
        }
        return try answer.get()
    }
}

/// Every port of the store, over one dictionary and without a way back: no unit fails here.
private final class QuickStore: UnitOfWork, OperationStore, LoginSubjects, SessionOpening, OperationJournal {
    private final class Context {}

    private let rows = Mutex<[OperationRowID: Operation]>([:])
    private let approvals = Mutex(0)

    var ended: [Operation] { rows.withLock { $0.values.filter(\.state.isTerminal) } }
    var approvalCount: Int { approvals.withLock(\.self) }

    func put(_ operation: Operation) { rows.withLock { $0[operation.id] = operation } }

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try body(Transaction(context: Context()))
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
    func following(_ row: OperationRowID?, endedAfter: Instant, limit: Int) async -> [Operation] { [] }
    func list(_ filter: OperationFilter) async -> [Operation] { [] }
    func listEnded(of account: AccountID, limit: Int) async -> [Operation] { [] }
    func listEnrolments(_ filter: EnrolmentFilter) async -> [Operation] { [] }
    func claim(_ scan: Digest256, for operation: OperationRowID, in transaction: borrowing Transaction) -> Bool { true }
    func claimant(of scan: Digest256, in transaction: borrowing Transaction) -> OperationRowID? { nil }
    func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) -> Int { 0 }
    func subject(for order: SubjectQuery, in transaction: borrowing Transaction) -> SubjectFinding {
        SubjectFinding(subject: nil, isLinked: false)
    }
    func recognises(_ signature: DeviceSignature, of client: String) -> Bool { false }
    func normalised(_ email: String) -> String { email }
    func enrolment(of account: AccountID, at provider: ProviderName) async -> String? { nil }
    func open(_ order: SessionOrder, in transaction: borrowing Transaction) -> SessionVerdict { .refused }
    func review(_ grant: Grant, of account: AccountID) async -> SessionVerdict { .refused }
    func record(_ entry: OperationJournalEntry, in transaction: borrowing Transaction) {
        if entry.fact == .approved { approvals.withLock { $0 += 1 } }
    }

    func record(_ tally: OperationTally, in transaction: borrowing Transaction) {}
}
