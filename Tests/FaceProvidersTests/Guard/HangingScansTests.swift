import FaceProviders
import Kernel
import MemoryStore
import Operations
import Synchronization
import Testing

/// Scans that hang, some of them or all, with the bounds that ship, in virtual time.
@Suite(.timeLimit(.minutes(10))) struct HangingScansTests {
    private let harness: OutageFixture<HangingProvider>
    private let provider: HangingProvider
    private let checks: Checks

    init() {
        let time = MemoryStore.VirtualTime()
        provider = HangingProvider(clock: time)
        harness = OutageFixture(provider, time: time, policy: GuardPolicy())
        checks = Checks(harness)
    }

    // T-259
    @Test(arguments: [HangingProvider.Outage.hangs, .refuses])
    func `eighty logins that were accepted in an outage come through when it ends ten seconds before their deadline`(
        _ outage: HangingProvider.Outage
    ) async throws {
        try await harness.fill(80, lifetime: .seconds(125), over: .zero)
        await checks.pass(.seconds(75))
        provider.fall(outage)
        await checks.pass(.seconds(10))
        provider.accept((0..<80).map { "scan-\($0)" })
        await checks.pass(.seconds(30))
        #expect(harness.guarded.circuit != .closed)
        provider.fall(nil)
        await checks.pass(.seconds(15))
        #expect(harness.store.approvalCount == 80, "\(harness.store.ended.map(\.state))")
    }

    // T-259
    @Test(arguments: [HangingProvider.Outage.hangs, .refuses])
    func `five seconds before the deadline are enough for two hundred`(_ outage: HangingProvider.Outage) async throws {
        try await harness.fill(200, lifetime: .seconds(125), over: .zero)
        await checks.pass(.seconds(60))
        provider.fall(outage)
        provider.accept((0..<200).map { "scan-\($0)" })
        await checks.pass(.seconds(60))
        provider.fall(nil)
        await checks.pass(.seconds(6))
        #expect(harness.store.approvalCount == 200)
    }

    @Test func `a slow answer before an outage leaves time for a second last check`() async throws {
        try await harness.fill(1, lifetime: .seconds(60), over: .zero)
        await checks.pass(.seconds(20))
        provider.answer(after: .seconds(4))
        await checks.pass(.seconds(12))
        provider.answer(after: .milliseconds(100))
        await checks.pass(.seconds(16))
        provider.fall(.refuses)
        provider.accept(["scan-0"])
        await checks.pass(.milliseconds(6950))
        // The first of the last checks begins five seconds before the deadline, and hangs.
        provider.fall(.hangs)
        await checks.pass(.milliseconds(1050))
        provider.fall(nil)
        await checks.pass(.seconds(5))
        #expect(harness.store.approvalCount == 1, "\(harness.store.ended.map(\.state))")
    }

    // T-259
    @Test func `sixty scans that hang cost no other login its verdict, and no start its scan`() async throws {
        try await harness.fill(65, lifetime: .seconds(300), over: .zero)
        await checks.pass(.seconds(10))
        provider.hang((0..<60).map { "scan-\($0)" })
        let refused = await starts(for: .seconds(30))
        provider.accept((60..<65).map { "scan-\($0)" })
        let waited = harness.time.now
        while harness.store.approvalCount < 5, harness.time.now - waited < .seconds(60) {
            await checks.pass(.seconds(1))
        }
        #expect(harness.store.approvalCount == 5)
        #expect(harness.time.now - waited <= .seconds(12), "a cold check is made every five seconds")
        // From here on nothing but starts is answered.
        let refusedLater = await starts(for: .seconds(90))
        #expect(refused + refusedLater == 0)
    }

    @Test func `a single scan that hangs to the end leaves every other check on time`() async throws {
        try await harness.fill(3, lifetime: .seconds(60), over: .zero)
        provider.hang(["scan-0"])
        await checks.pass(.seconds(20))
        provider.accept(["scan-1", "scan-2"])
        await checks.pass(.seconds(6))
        #expect(harness.store.approvalCount == 2)
        provider.letGo()
        provider.accept(["scan-0"])
        await checks.pass(.seconds(35))
        #expect(harness.store.approvalCount == 3, "nor is the one that hung lost, once it answers")
    }

    /// Returns a start every three seconds; how many of them were not served.
    private func starts(for duration: Duration) async -> Int {
        let refused = Counted()
        let end = harness.time.now + duration
        while harness.time.now < end {
            checks.start {
                do {
                    _ = try await harness.guarded.begin(ScanRequest(enrolment: "x", timeLeft: .seconds(100)))
                } catch { refused.add() }
            }
            await checks.pass(.seconds(3))
        }
        return refused.count
    }
}

/// Runs checks beside one another, as the watcher's loop does, while time passes step by step.
private final class Checks: Sendable {
    private let harness: OutageFixture<HangingProvider>
    private let inProgress = Mutex(0)

    init(_ harness: OutageFixture<HangingProvider>) { self.harness = harness }

    func pass(_ duration: Duration) async {
        let end = harness.time.now + duration
        while true {
            for check in harness.watcher.tick() { start { await self.harness.watcher.check(check) } }
            await settle()
            guard harness.time.now < end else { return }
            harness.time.advance(by: min(.milliseconds(50), end - harness.time.now))
            await settle()
        }
    }

    func start(_ work: @escaping @Sendable () async -> Void) {
        inProgress.withLock { $0 += 1 }
        Task {
            await work()
            self.inProgress.withLock { $0 -= 1 }
        }
    }

    /// Waits until every call in progress sleeps: such a call sleeps twice, for its answer and for its end.
    private func settle() async {
        while harness.time.sleeperCount != 2 * inProgress.withLock(\.self), !Task.isCancelled { await Task.yield() }
    }
}

private final class Counted: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock(\.self) }
    func add() { number.withLock { $0 += 1 } }
}

/// Answers after a while, about some scans never, and about none in an outage.
final class HangingProvider: FaceProvider {
    enum Outage: Sendable { case hangs, refuses }

    private struct State {
        var outage: Outage?
        var pace: Duration = .milliseconds(100)
        var hanging: Set<String> = []
        var accepted: Set<String> = []
        var started = 0
    }

    let name = ProviderName("hanging")
    let checkConcurrency = 32
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    init(clock: any MonotonicClock) { self.clock = clock }

    func fall(_ outage: Outage?) { state.withLock { $0.outage = outage } }
    func hang(_ scans: [String]) { state.withLock { $0.hanging.formUnion(scans) } }
    func answer(after pace: Duration) { state.withLock { $0.pace = pace } }
    func letGo() { state.withLock { $0.hanging = [] } }
    func accept(_ scans: [String]) { state.withLock { $0.accepted.formUnion(scans) } }

    func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        try await answer(about: nil)
        let number = state.withLock { state in
            state.started += 1
            return state.started
        }
        return StartedScan(reference: ProviderReference("started-\(number)"), page: Secret("page"))
    }

    func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus {
        try await answer(about: reference.text)
        return state.withLock { $0.accepted.contains(reference.text) } ? .approved : .pending(.userInProvider)
    }

    /// Ten seconds are what one request may take in the config that ships; what hangs does so to its end.
    private func answer(about scan: String?) async throws(ProviderError) {
        let (outage, hangs, pace) = state.withLock { ($0.outage, scan.map($0.hanging.contains) ?? false, $0.pace) }
        let isHanging = outage == .hangs || hangs
        do { try await clock.sleep(until: clock.now + (isHanging ? .seconds(10) : pace)) } catch {
            throw .unavailable(cause: "cancelled")
        }
        if isHanging { throw .unavailable(cause: "timeout") }
        if outage != nil { throw .unreached(cause: "no connection") }
    }
}
