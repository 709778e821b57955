// FaceProviders: the adapters of face scan providers, and the guard around them.
// Owns AuthID, providers described in the config, the verification of webhooks, circuit breakers, slots and retries.
// Decides no login: the engine acts on the verdicts.
// Survives outages, garbage and hanging calls: each is bounded, and none counts as an approval.
// A hanging scan of one person delays no other person's scan.

package import Kernel
package import Logging
package import Operations
import Synchronization

/// A provider whose calls are bounded in time and number, retried where that is safe, and stopped during an outage.
///
/// It wraps any adapter. The adapter bounds one request. This type bounds a whole call, with its wait, token and
/// retries.
package final class GuardedFaceProvider: FaceProvider {
    /// The number of scans being cancelled at one time, which is small because no caller waits for them.
    private static let concurrentCancels = 4

    private let provider: any FaceProvider
    private let policy: GuardPolicy
    private let environment: Environment
    private let logger: Logger
    private let breaker: Mutex<CircuitBreaker>
    private let pace = Mutex(AnswerPace())
    private let lanes: Lanes
    private let retried = Atomic<Int>(0)

    /// The slots for calls of each kind, so that no kind uses those of another.
    private struct Lanes: Sendable {
        let starts: Bulkhead
        let checks: Bulkhead
        let cancels: Bulkhead
        /// The number of calls is divided by the number of daemons, which all call the provider.
        private let daemons: @Sendable () -> Int

        init(_ policy: GuardPolicy, checks: Int, cancels: Int, daemons: @escaping @Sendable () -> Int) {
            self.daemons = daemons
            let bulkhead = { (calls: Int) in
                Bulkhead(slots: { Self.part(of: calls, daemons) }, queue: policy.queued)
            }
            starts = bulkhead(policy.concurrentStarts)
            self.checks = bulkhead(checks)
            self.cancels = bulkhead(cancels)
        }

        func part(of calls: Int) -> Int { Self.part(of: calls, daemons) }

        private static func part(of calls: Int, _ daemons: () -> Int) -> Int { max(1, calls / max(1, daemons())) }
    }

    /// `daemons`: Returns the number of daemons among which the calls at one time are divided.
    ///
    /// It is called for each call, and every daemon has at least one.
    package init(
        _ provider: any FaceProvider,
        _ policy: GuardPolicy,
        environment: Environment,
        logger: Logger,
        daemons: @escaping @Sendable () -> Int = { 1 }
    ) {
        self.provider = provider
        self.policy = policy
        self.environment = environment
        var logger = logger
        logger[metadataKey: "provider"] = "\(provider.name)"
        self.logger = logger
        var circuit = policy.circuit
        circuit.probeTime = policy.probeTimeout
        breaker = Mutex(CircuitBreaker(circuit))
        lanes = Lanes(
            policy,
            checks: provider.checkConcurrency,
            cancels: Self.concurrentCancels,
            daemons: daemons
        )
    }

    package var name: ProviderName { provider.name }

    /// This daemon's part of the checks at one time, which changes with the number of daemons.
    package var checkConcurrency: Int { lanes.part(of: provider.checkConcurrency) }

    package var returnsToUs: Bool { provider.returnsToUs }

    package var enrolsFaces: Bool { provider.enrolsFaces }

    package var circuit: ProviderCircuit? { breaker.withLock { $0.circuit(at: environment.clock.now) } }

    /// The number of retries since the daemon started.
    package var retryCount: Int { retried.load(ordering: .relaxed) }

    package func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        // Never retried: a start without an answer may have succeeded.
        let call = Call(kind: .start, lane: lanes.starts, retries: 0, timeout: policy.callTimeout)
        return try await run(call) { [provider] () throws(ProviderError) in try await provider.begin(request) }
    }

    package func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus {
        try await check(reference, as: .usual)
    }

    package func check(_ reference: ProviderReference, as turn: CheckTurn) async throws(ProviderError) -> ScanStatus {
        try await run(call(for: turn)) { [provider] () throws(ProviderError) in try await provider.check(reference) }
    }

    /// Every fourth probe has the full timeout, since otherwise a provider that became slow would never count as back.
    private static let patientProbe = 4

    private func call(for turn: CheckTurn) -> Call {
        let kind: CircuitBreaker.Kind = turn.isSuspect ? .suspect : .check
        let now = environment.clock.now
        let (isStopped, failedProbes) = breaker.withLock {
            ($0.circuit(of: kind, at: now) != .closed, $0.failedProbes(kind))
        }
        let isProbe = isStopped && failedProbes % Self.patientProbe != Self.patientProbe - 1
        return Call(
            kind: kind,
            lane: lanes.checks,
            retries: turn.slot == .long ? policy.retries : 0,
            timeout: policy.time(for: turn, pace: pace.withLock(\.self), isProbe: isProbe, at: now),
            isFinal: turn.slot == .final
        )
    }

    /// The bounds of a call.
    private struct Call: Sendable {
        let kind: CircuitBreaker.Kind
        let lane: Bulkhead
        let retries: Int
        let timeout: Duration
        var isFinal = false
    }

    package var cancelsScans: Bool { provider.cancelsScans }

    /// Cancels a scan once, without counting the outcome.
    ///
    /// While the circuit is open no call is made, since nothing waits for the result.
    ///
    /// The call is bounded in time, and few are in progress at once.
    package func cancel(_ reference: ProviderReference) async throws(ProviderError) {
        // Failing starts say nothing about whether scans can be cancelled.
        let checks = breaker.withLock { $0.circuit(of: .check, at: environment.clock.now) }
        guard checks != .open else { throw .circuitOpen }
        try await inTime(policy.callTimeout) { [provider, cancels = lanes.cancels] _ -> Outcome<Void> in
            guard await cancels.enter() else { return .failure(.crowded) }
            defer { cancels.leave() }
            do throws(ProviderError) {
                return .success(try await provider.cancel(reference))
            } catch {
                return .failure(error)
            }
        }
    }

    private typealias Outcome<Value> = Result<Value, ProviderError>
    private typealias Body<Value> = @Sendable () async throws(ProviderError) -> Value

    private func run<Value: Sendable>(
        _ call: Call,
        _ body: @escaping Body<Value>
    ) async throws(ProviderError) -> Value {
        // Checked before any set-up: in an outage thousands of calls a second end here.
        guard call.isFinal || breaker.withLock({ $0.admits(call.kind, at: environment.clock.now) }) else {
            throw .circuitOpen
        }
        return try await inTime(call.timeout) { deadline in await self.work(call, by: deadline, body) }
    }

    /// Returns the outcome of `body`, which gets its deadline as a parameter and is cancelled when that has passed.
    private func inTime<Value: Sendable>(
        _ timeout: Duration,
        _ body: @escaping @Sendable (_ deadline: Uptime) async -> Outcome<Value>
    ) async throws(ProviderError) -> Value {
        let deadline = environment.clock.now + timeout
        let outcome = await withTaskGroup(of: Outcome<Value>?.self) { group in
            group.addTask { await body(deadline) }
            group.addTask {
                try? await self.environment.clock.sleep(until: deadline)
                return nil
            }
            var outcome: Outcome<Value>?
            // The outcome of a cancelled body is still awaited: a scan that it started must not be lost.
            while outcome == nil, let next = await group.next() {
                outcome = next
                group.cancelAll()
            }
            return outcome ?? .failure(.unavailable(cause: "cancelled"))
        }
        return try outcome.get()
    }

    private func work<Value: Sendable>(_ call: Call, by deadline: Uptime, _ body: Body<Value>) async -> Outcome<Value> {
        guard await call.lane.enter() else { return .failure(.crowded) }
        defer { call.lane.leave() }
        var retry = 0
        while true {
            let outcome = await attempt(call, by: deadline, body)
            guard retry < call.retries, case .failure(let failure) = outcome, failure.isOutage,
                breaker.withLock({ $0.circuit(of: call.kind, at: environment.clock.now) }) == .closed
            else {
                return outcome
            }
            let again = environment.clock.now + RetryDelay.before(retry, jitter: environment.unitInterval())
            guard again < deadline else { return outcome }
            do { try await environment.clock.sleep(until: again) } catch { return outcome }
            retry += 1
            retried.add(1, ordering: .relaxed)
        }
    }

    private func attempt<Value: Sendable>(
        _ call: Call,
        by deadline: Uptime,
        _ body: Body<Value>
    ) async -> Outcome<Value> {
        let begun = environment.clock.now
        let pass = breaker.withLock { breaker in
            call.isFinal ? breaker.admitFinal(call.kind, at: begun) : breaker.admit(call.kind, at: begun)
        }
        guard let pass else { return .failure(.circuitOpen) }
        do throws(ProviderError) {
            let value = try await body()
            guard Self.isReadable(value) else {
                settle(pass, .failed)
                return .success(value)
            }
            if call.kind != .start { pace.withLock { $0.note(environment.clock.now - begun) } }
            settle(pass, .answered)
            return .success(value)
        } catch {
            guard error.isOutage else {
                settle(pass, .answered)
                return .failure(error)
            }
            guard Task.isCancelled else {
                settle(pass, .failed)
                return .failure(error)
            }
            // A caller that leaves early says nothing about the provider, and neither does silence during a very short
            // timeout.
            let wasHeard = environment.clock.now >= deadline && !policy.isTooShort(deadline - begun)
            settle(pass, wasHeard ? .failed : .void)
            return .failure(error.givenUp)
        }
    }

    private func settle(_ pass: CircuitBreaker.Pass, _ outcome: CircuitBreaker.Outcome) {
        let now = environment.clock.now
        let jitter = environment.unitInterval()
        let (before, after) = breaker.withLock { breaker in
            let before = breaker.circuit(at: now)
            breaker.settle(pass, outcome, at: now, jitter: jitter)
            return (before, breaker.circuit(at: now))
        }
        switch (before, after) {
        case (.closed, .open): logger.warning("the provider fails: its circuit is open")
        case (.open, .closed), (.halfOpen, .closed): logger.notice("the provider answers again: its circuit is closed")
        case (.closed, _), (.open, _), (.halfOpen, _): break
        }
    }

    /// Whether the value is an answer of such a service: any other answer counts as silence.
    ///
    /// A status that is not in the table counts as an answer: a provider's new status must not stop every login.
    private static func isReadable<Value>(_ value: Value) -> Bool { (value as? ScanStatus) != .nonsense }
}

extension ProviderError {
    fileprivate static let circuitOpen = ProviderError.heldBack(cause: "its circuit is open")
    fileprivate static let crowded = ProviderError.heldBack(cause: "too many calls wait for it")

    /// The error of a call that was cancelled: a request that was certainly not sent stays unsent in it.
    fileprivate var givenUp: ProviderError {
        switch self {
        case .unreached: .unreached(cause: "the call took too long or was cancelled")
        case .unavailable, .heldBack, .refused: .unavailable(cause: "the call took too long or was cancelled")
        }
    }

    /// Whether the provider or the network caused the missing answer.
    fileprivate var isOutage: Bool {
        switch self {
        case .unavailable, .unreached: true
        case .heldBack, .refused: false
        }
    }
}
