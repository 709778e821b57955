import Dispatch
import Kernel
import Synchronization

/// The lanes of a database, and the work that waits for one of them.
///
/// The lane that was free last gets the next work. A lane without a connection gets none: it connects again first. When
/// no lane has a connection and connecting fails, the waiting work fails at once, and so does new work until one
/// succeeds.
final class PostgresPool: Sendable {
    /// What a lane does, or how it is told that no lane will.
    struct Job: Sendable {
        let enqueuedAt: Uptime
        let perform: @Sendable (PostgresLane) -> Void
        let fail: @Sendable (StoreError) -> Void
    }

    private struct State {
        var idle: [PostgresLane] = []
        var waiting: [Job] = []
        /// The numbers of the lanes with a connection, as far as is known.
        var connected: Set<Int> = []
        /// The error of the last connect, while no lane has a connection.
        var outage: StoreError?
        var isClosed = false
        /// Receives the error of each outage, at its beginning.
        var tell: (@Sendable (StoreError) -> Void)?
    }

    /// The pause before the second try to connect.
    ///
    /// Each further pause is twice as long, up to ``longestPause``.
    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(2)
    private static let closed = StoreError.unavailable(cause: "the database is closed")

    private let lanes: [PostgresLane]
    private let environment: Environment
    private let metrics: StoreMetrics?
    private let patience: Duration
    private let state = Mutex(State())

    /// The numbers of lanes that a daemon has for itself, so that each lane of each daemon has an audit chain of its own.
    private static let lanesOfASlot = 256

    /// Connects in the background.
    init(_ options: PostgresOptions, environment: Environment, slot: Int, metrics: StoreMetrics?) {
        self.environment = environment
        self.metrics = metrics
        patience = options.deadline
        lanes = (0..<max(1, options.poolSize)).map {
            PostgresLane(slot * Self.lanesOfASlot + $0, options: options, environment: environment)
        }
        for lane in lanes { lane.queue.async { [self] in work(on: lane) } }
    }

    /// The number of jobs that may wait: more of them could not be done within the time that a caller has.
    var waitingLimit: Int { lanes.count * 64 }

    /// Runs `work` on a lane.
    ///
    /// `afterwards`: runs on the same lane after the caller got its answer.
    func run<T: Sendable>(
        _ work: @escaping @Sendable (PostgresLane) throws -> T,
        afterwards: @escaping @Sendable (PostgresLane) -> Void = { _ in }
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            submit(
                Job(
                    enqueuedAt: environment.clock.now,
                    perform: { lane in
                        continuation.resume(with: Result { try work(lane) })
                        afterwards(lane)
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
        }
    }

    /// Registers `tell`, which receives the error of each outage at its beginning, or now for one that has begun: no lane
    /// has a connection, and none can be made.
    func whenOut(_ tell: @escaping @Sendable (StoreError) -> Void) {
        let outage = state.withLock { state in
            state.tell = tell
            return state.outage
        }
        if let outage { tell(outage) }
    }

    /// Refuses new work, does what waits, and closes the connections.
    ///
    /// Further calls do nothing.
    func close() {
        state.withLock { $0.isClosed = true }
        // Each lane's queue is free once the lane has nothing more to do.
        for lane in lanes { lane.queue.sync { lane.close() } }
        failWaiting(Self.closed)
    }

    private enum Way {
        case now(PostgresLane)
        case later
        case never(StoreError)
    }

    private func submit(_ job: Job) {
        let way = state.withLock { state -> Way in
            if state.isClosed { return .never(Self.closed) }
            if let lane = state.idle.popLast() { return .now(lane) }
            if let outage = state.outage { return .never(outage) }
            guard state.waiting.count < waitingLimit else {
                return .never(.unavailable(cause: "\(state.waiting.count) units wait for a connection to PostgreSQL"))
            }
            state.waiting.append(job)
            return .later
        }
        switch way {
        case .now(let lane): lane.queue.async { [self] in work(on: lane, first: job) }
        case .later: break
        case .never(let error): job.fail(error)
        }
    }

    /// Does jobs until none waits.
    private func work(on lane: PostgresLane, first: Job? = nil) {
        var next = first
        while true {
            if let next { perform(next, on: lane) }
            guard lane.isConnected || connect(lane) else { return }
            next = state.withLock { state in
                guard let job = state.waiting.first else {
                    state.idle.append(lane)
                    return nil
                }
                state.waiting.removeFirst()
                return job
            }
            if next == nil { return }
        }
    }

    private func perform(_ job: Job, on lane: PostgresLane) {
        // It was given to the lane while the database was being closed.
        guard !lane.isClosed else { return job.fail(Self.closed) }
        guard environment.clock.now - job.enqueuedAt <= patience else {
            return job.fail(
                .unavailable(cause: "no connection to PostgreSQL was free within \(patience.wholeMilliseconds) ms")
            )
        }
        guard let metrics else { return job.perform(lane) }
        metrics.occupying { job.perform(lane) }
    }

    /// Connects a lane, however long it takes.
    ///
    /// Returns `false` when the database is closed.
    private func connect(_ lane: PostgresLane) -> Bool {
        state.withLock { _ = $0.connected.remove(lane.number) }
        var pause = Self.firstPause
        while !state.withLock(\.isClosed) {
            do {
                _ = try lane.connection()
                state.withLock { state in
                    state.connected.insert(lane.number)
                    state.outage = nil
                }
                return true
            } catch {
                noteFailure(StoreError(error))
            }
            lane.pause(pause) { [self] in state.withLock(\.isClosed) }
            pause = min(pause * 2, Self.longestPause)
        }
        return false
    }

    private func noteFailure(_ error: StoreError) {
        let (isOut, tell) = state.withLock { state in
            guard state.connected.isEmpty else { return (false, nil as (@Sendable (StoreError) -> Void)?) }
            let isNew = state.outage == nil
            state.outage = error
            return (true, isNew ? state.tell : nil)
        }
        tell?(error)
        if isOut { failWaiting(error) }
    }

    private func failWaiting(_ error: StoreError) {
        let jobs = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in jobs { job.fail(error) }
    }
}
