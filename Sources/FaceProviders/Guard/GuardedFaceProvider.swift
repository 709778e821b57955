// FaceProviders: the adapters of face scan providers, and the guard around them.
// Owns AuthID, providers described in the config, webhooks' verification, circuit, places and retries.
// Decides no login: a verdict is the engine's to act on.
// Survives outages, garbage and hanging calls: each is bounded, and none counts as an approval.
// One person's hanging scan holds up nobody else's.

package import Kernel
package import Logging
package import Operations
import Synchronization

/// A provider whose calls are bounded in time and number, tried again where that is safe, and stopped while it is down.
///
/// Wrapped around any adapter. The adapter bounds one request; this bounds a call, with its wait, its token and its
/// retries.
package final class GuardedFaceProvider: FaceProvider {
    /// Scans being ended at one time: nothing waits for that.
    private static let concurrentCancels = 4

    private let provider: any FaceProvider
    private let policy: GuardPolicy
    private let environment: Environment
    private let logger: Logger
    private let breaker: Mutex<CircuitBreaker>
    private let pace = Mutex(AnswerPace())
    private let lanes: Lanes
    private let retried = Atomic<Int>(0)

    /// The places for calls of each kind, so that no kind takes those of another.
    private struct Lanes: Sendable {
        let starts: Bulkhead
        let checks: Bulkhead
        let cancels: Bulkhead
    }

    package init(_ provider: any FaceProvider, _ policy: GuardPolicy, environment: Environment, logger: Logger) {
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
            starts: Bulkhead(slots: policy.concurrentStarts, queue: policy.queued),
            checks: Bulkhead(slots: provider.checkConcurrency, queue: policy.queued),
            cancels: Bulkhead(slots: Self.concurrentCancels, queue: policy.queued)
        )
    }

    package var name: ProviderName { provider.name }

    package var checkConcurrency: Int { provider.checkConcurrency }

    package var returnsToUs: Bool { provider.returnsToUs }

    package var enrolsFaces: Bool { provider.enrolsFaces }

    package var circuit: ProviderCircuit? { breaker.withLock { $0.circuit(at: environment.clock.now) } }

    /// How often a call was tried again since the start.
    package var retryCount: Int { retried.load(ordering: .relaxed) }

    package func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        // Never tried again: a start without an answer may be a start.
        let call = Call(kind: .start, lane: lanes.starts, retries: 0, timeout: policy.callTimeout)
        return try await run(call) { [provider] () throws(ProviderError) in try await provider.begin(request) }
    }

    package func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus {
        try await check(reference, as: .usual)
    }

    package func check(_ reference: ProviderReference, as turn: CheckTurn) async throws(ProviderError) -> ScanStatus {
        try await run(call(for: turn)) { [provider] () throws(ProviderError) in try await provider.check(reference) }
    }

    /// Every fourth probe has the whole time: otherwise a provider that became slow would never count as back.
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

    /// Cancels a scan once, without counting the outcome; an open circuit still prevents it, since nothing waits for
    /// it.
    ///
    /// The call is bounded in time all the same, and few are in progress at once.
    package func cancel(_ reference: ProviderReference) async throws(ProviderError) {
        // Starts that fail say nothing about whether scans can be ended.
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
        // Before anything is set up: in an outage this is the answer to thousands of calls a second.
        guard call.isFinal || breaker.withLock({ $0.admits(call.kind, at: environment.clock.now) }) else {
            throw .circuitOpen
        }
        return try await inTime(call.timeout) { deadline in await self.work(call, by: deadline, body) }
    }

    /// Returns the outcome of `body` by the deadline that it is told; a body that is out of time is cancelled.
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
            // A cancelled body is still heard: a scan that it began must not be lost.
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
            // A browser that leaves in the middle says nothing about the provider, nor does a moment's silence.
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

    /// An answer that such a service does not give counts as silence.
    ///
    /// One that means nothing to our table is an answer: a new word of the provider's must not keep everybody out.
    private static func isReadable<Value>(_ value: Value) -> Bool { (value as? ScanStatus) != .nonsense }
}

extension ProviderError {
    fileprivate static let circuitOpen = ProviderError.heldBack(cause: "its circuit is open")
    fileprivate static let crowded = ProviderError.heldBack(cause: "too many calls wait for it")

    /// The same, of a call that was cut short; one that was surely not sent stays so.
    fileprivate var givenUp: ProviderError {
        switch self {
        case .unreached: .unreached(cause: "the call took too long or was cancelled")
        case .unavailable, .heldBack, .refused: .unavailable(cause: "the call took too long or was cancelled")
        }
    }

    /// Whether it is the provider's, or the way there's, that there was no answer.
    fileprivate var isOutage: Bool {
        switch self {
        case .unavailable, .unreached: true
        case .heldBack, .refused: false
        }
    }
}
