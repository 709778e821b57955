import Kernel
import MemoryStore
import Operations

/// One random life of the engine in virtual time, decided by its seed alone: of one, or of several over one store.
///
/// A single task drives it. Whenever the engine waits, for its store or its provider, the history may let other things
/// happen first: other callers, time, faults, even a crash. So what is concurrent in a daemon is here a nesting that
/// the seed repeats exactly.
actor History {
    static let lifetime: Duration = .seconds(180)
    static let approvalWindow: Duration = .seconds(60)
    static let redemptionWindow: Duration = .seconds(120)

    let seed: UInt64
    let time = VirtualTime()
    let disk: MemoryDisk
    let providers: [SimulatedProvider]
    let link: Link
    let isTraced: Bool

    var random: SeededRandom
    /// The daemons: one, or several with ``cluster``.
    var daemons: [SimulatedDaemon]
    /// The daemon whose code runs.
    var current = 0
    /// What several daemons share; `nil` for one daemon.
    var cluster: Cluster?
    /// How deep in waits of the engine the present step is.
    var depth = 0
    /// Counts steps, to see whether others came in between.
    var stepCount = 0
    /// While above zero nothing comes in between and nothing fails.
    var calm = 0
    /// While true, several reads run at the same time, and all get the same answer.
    var areAllReading = false
    var storeIsDown = false
    var providerIsDown = false
    var fates: [ProviderReference: Fate] = [:]
    /// When the provider first said that it accepts a scan.
    var approvalsSaid: [ProviderReference: Uptime] = [:]
    /// Operations whose scan was accepted in time, and the life in which that was.
    var accepted: [OperationRowID: Int] = [:]
    /// Operations whose right number somebody has typed.
    var rightlyTyped: Set<OperationRowID> = []
    /// Operations that the cache showed as bound while nothing was in progress, and the life in which that was.
    var boundAtRest: [OperationRowID: Int] = [:]
    /// When the store was down, or the whole process stood still, last.
    var lastOutage = Uptime(nanoseconds: 0)
    var operations: [ModelOperation] = []
    /// Operations with a check or an expiry in progress.
    var checked: [Digest256] = []
    var blocked: Set<AccountID> = []
    var replaced: Set<ProviderReference> = []
    /// Whose starts may be decoys, until when.
    var mayBeQuiet: [Initiator: Uptime] = [:]
    /// Operations that a start with their proof has named.
    var mayBeSuperseded: Set<OperationRowID> = []
    /// Polls that are parked, in the order in which they came.
    var waiters: [ModelWaiter] = []
    var trace: [String] = []
    var violation: String?
    /// Counts of events, to tell that the histories reach every corner.
    var census = Census()

    private init(seed: UInt64, daemons count: Int, isTraced: Bool, link: Link) {
        self.seed = seed
        self.isTraced = isTraced
        self.link = link
        random = SeededRandom(seed: seed)
        let disk = MemoryDisk(people: People.all, onStep: { step in await link.history?.storeStep(step) })
        let providers = [
            SimulatedProvider(link: link), SimulatedProvider(link: link, name: SimulatedProvider.standby),
        ]
        (self.disk, self.providers) = (disk, providers)
        guard count > 1 else {
            daemons = [SimulatedDaemon(time.environment(seed: seed &* 31 &+ 7), disk: disk, providers: providers)]
            return
        }
        let (cluster, daemons) = Cluster.started(count, seed: seed, time: time, disk: disk, providers: providers)
        (self.cluster, self.daemons) = (cluster, daemons)
    }

    /// Lives through the history of that seed.
    static func run(seed: UInt64, daemons: Int = 1, isTraced: Bool = false) async -> Report {
        let link = Link()
        let history = History(seed: seed, daemons: daemons, isTraced: isTraced, link: link)
        link.connect(history)
        let report = await history.live()
        link.connect(nil)
        return report
    }

    private func live() async -> Report {
        if cluster != nil { introduce(0) }
        await beginOne()
        let length = 20 + random.below(50)
        for _ in 0..<length where violation == nil { await step() }
        if violation == nil { await wane() }
        return Report(seed: seed, violation: violation, trace: trace, census: census)
    }

    /// One step and a look at everything that must hold after it.
    func step() async {
        stepCount += 1
        let before = current
        defer { current = before }
        await takeStep()
        await settleWaiters()
        checkAll()
    }

    /// Lets others in while the engine waits.
    func interleave() async {
        let chances = [14, 10]
        guard calm == 0, !areAllReading, violation == nil, depth < chances.count,
            random.happens(percent: chances[depth])
        else {
            return
        }
        depth += 1
        defer { depth -= 1 }
        for _ in 0...random.below(3) where violation == nil {
            census.nested += 1
            await step()
        }
    }

    /// Runs `body` with nothing in between and no faults.
    func calmly<T>(_ body: () async throws -> T) async rethrows -> T {
        calm += 1
        defer { calm -= 1 }
        return try await body()
    }

    func fail(_ message: @autoclosure () -> String) {
        if violation == nil { violation = message() }
    }

    func note(_ line: @autoclosure () -> String) {
        guard isTraced else { return }
        let indent = String(repeating: "  ", count: depth)
        trace.append("\((time.now.nanoseconds - 5_000_000_000) / 1_000_000) ms \(indent)\(line())")
    }

    func storeStep(_ step: StoreStep) async -> InjectedFault? {
        let (began, daemon, present) = (time.now, current, life)
        daemons[daemon].peer?.storeWaits += 1
        await interleave()
        if life == present { daemons[daemon].peer?.storeWaits -= 1 }
        let fault = storeFault()
        // A unit that took its time and then failed held its operation for as long as an outage.
        if fault != nil, storeIsDown || time.now > began { lastOutage = time.now }
        noteStoreStep(step, fault, isSlow: time.now > began)
        return fault
    }

    private func storeFault() -> InjectedFault? {
        if areAllReading { return storeIsDown ? .beforeCommit : nil }
        guard calm == 0 else { return nil }
        if storeIsDown { return .beforeCommit }
        switch random.below(100) {
        case 0..<3:
            note("! the store fails before it commits or reads")
            return .beforeCommit
        case 3..<5:
            note("! the store fails after it committed (or before it reads)")
            return .afterCommit
        default: return nil
        }
    }
}

/// The result of a history.
struct Report: Sendable {
    let seed: UInt64
    let violation: String?
    let trace: [String]
    let census: Census
}
