import FaceProviders
import Kernel
import MemoryStore
import Operations
import Synchronization
import Testing

/// Scans that hang, some of them or all, with the bounds that ship, in virtual time.
@Suite(.timeLimit(.minutes(10))) struct HangingScansTests {
    private let bench: OutageFixture<HangingProvider>
    private let provider: HangingProvider
    private let visits: Visits

    init() {
        let time = MemoryStore.VirtualTime()
        provider = HangingProvider(clock: time)
        bench = OutageFixture(provider, time: time, policy: GuardPolicy())
        visits = Visits(bench)
    }

    @Test(arguments: [HangingProvider.Outage.hangs, .refuses])
    func `eighty logins that were accepted in an outage come through when it ends ten seconds before their deadline`(
        _ outage: HangingProvider.Outage
    ) async throws {
        try await bench.fill(80, lifetime: .seconds(125), over: .zero)
        await visits.pass(.seconds(75))
        provider.fall(outage)
        await visits.pass(.seconds(10))
        provider.accept((0..<80).map { "scan-\($0)" })
        await visits.pass(.seconds(30))
        #expect(bench.guarded.circuit != .closed)
        provider.fall(nil)
        await visits.pass(.seconds(15))
        #expect(bench.store.approvalCount == 80, "\(bench.store.ended.map(\.state))")
    }

    @Test(arguments: [HangingProvider.Outage.hangs, .refuses])
    func `five seconds before the deadline are enough for two hundred`(_ outage: HangingProvider.Outage) async throws {
        try await bench.fill(200, lifetime: .seconds(125), over: .zero)
        await visits.pass(.seconds(60))
        provider.fall(outage)
        provider.accept((0..<200).map { "scan-\($0)" })
        await visits.pass(.seconds(60))
        provider.fall(nil)
        await visits.pass(.seconds(6))
        #expect(bench.store.approvalCount == 200)
    }

    @Test func `a slow answer before an outage leaves time for a second last check`() async throws {
        try await bench.fill(1, lifetime: .seconds(60), over: .zero)
        await visits.pass(.seconds(20))
        provider.answer(after: .seconds(4))
        await visits.pass(.seconds(12))
        provider.answer(after: .milliseconds(100))
        await visits.pass(.seconds(16))
        provider.fall(.refuses)
        provider.accept(["scan-0"])
        await visits.pass(.milliseconds(6950))
        // The first of the last checks begins five seconds before the deadline, and hangs.
        provider.fall(.hangs)
        await visits.pass(.milliseconds(1050))
        provider.fall(nil)
        await visits.pass(.seconds(5))
        #expect(bench.store.approvalCount == 1, "\(bench.store.ended.map(\.state))")
    }

    @Test func `sixty scans that hang cost no other login its verdict, and no start its scan`() async throws {
        try await bench.fill(65, lifetime: .seconds(300), over: .zero)
        await visits.pass(.seconds(10))
        provider.hang((0..<60).map { "scan-\($0)" })
        let refused = await starts(for: .seconds(30))
        provider.accept((60..<65).map { "scan-\($0)" })
        let waited = bench.time.now
        while bench.store.approvalCount < 5, bench.time.now - waited < .seconds(60) { await visits.pass(.seconds(1)) }
        #expect(bench.store.approvalCount == 5)
        #expect(bench.time.now - waited <= .seconds(12), "a cold check is made every five seconds")
        // From here on nothing but starts is answered.
        let refusedLater = await starts(for: .seconds(90))
        #expect(refused + refusedLater == 0)
    }

    @Test func `a single scan that hangs to the end leaves every other check on time`() async throws {
        try await bench.fill(3, lifetime: .seconds(60), over: .zero)
        provider.hang(["scan-0"])
        await visits.pass(.seconds(20))
        provider.accept(["scan-1", "scan-2"])
        await visits.pass(.seconds(6))
        #expect(bench.store.approvalCount == 2)
        provider.letGo()
        provider.accept(["scan-0"])
        await visits.pass(.seconds(35))
        #expect(bench.store.approvalCount == 3, "nor is the one that hung lost, once it answers")
    }

    /// Returns a start every three seconds; how many of them were not served.
    private func starts(for duration: Duration) async -> Int {
        let refused = Counted()
        let end = bench.time.now + duration
        while bench.time.now < end {
            visits.start {
                do {
                    _ = try await bench.guarded.begin(ScanRequest(enrolment: "x", timeLeft: .seconds(100)))
                } catch { refused.add() }
            }
            await visits.pass(.seconds(3))
        }
        return refused.count
    }
}

/// Runs visits beside one another, as the watcher's loop does, while time passes step by step.
private final class Visits: Sendable {
    private let bench: OutageFixture<HangingProvider>
    private let underWay = Mutex(0)

    init(_ bench: OutageFixture<HangingProvider>) { self.bench = bench }

    func pass(_ duration: Duration) async {
        let end = bench.time.now + duration
        while true {
            for check in bench.watcher.tick() { start { await self.bench.watcher.check(check) } }
            await settle()
            guard bench.time.now < end else { return }
            bench.time.advance(by: min(.milliseconds(50), end - bench.time.now))
            await settle()
        }
    }

    func start(_ work: @escaping @Sendable () async -> Void) {
        underWay.withLock { $0 += 1 }
        Task {
            await work()
            self.underWay.withLock { $0 -= 1 }
        }
    }

    /// Waits until every call in progress sleeps: such a call sleeps twice, for its answer and for its end.
    private func settle() async {
        while bench.time.sleeperCount != 2 * underWay.withLock(\.self), !Task.isCancelled { await Task.yield() }
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
