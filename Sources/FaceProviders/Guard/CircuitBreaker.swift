package import Kernel
package import Operations

/// Stops calling a provider that fails, and probes with one call at a time whether the provider is back.
///
/// Calls are of three kinds, and only failures that concern a kind stop it. Suspect scans are those whose last check
/// got no answer. Their failures stop only the checks of suspect scans. Failing starts stop only starts: scans in
/// progress are still checked. An answered start resumes all kinds. An answered check resumes checks. It resumes
/// starts only where checks were stopped too, because a provider may answer checks and still start no scan.
///
/// Pure: time and jitter are parameters of each call. A new period begins when checks are stopped, and when they
/// resume. An outcome counts only in the period in which its call began: a call in progress when the circuit opened
/// neither opens it further nor closes it. The exception is a probe, whose late answer still closes the circuit.
package struct CircuitBreaker: Sendable, Equatable {
    package struct Policy: Sendable, Equatable {
        /// The number of consecutive failures of a kind that opens the circuit.
        package var failures: Int
        /// The time for which the circuit stays open before the first probe, plus or minus a tenth.
        package var pause: Duration
        /// The time for which a probe is the only one, before a second probe may begin.
        package var probeTime: Duration

        package init(failures: Int = 10, pause: Duration = .seconds(5), probeTime: Duration = .seconds(2)) {
            self.failures = failures
            self.pause = pause
            self.probeTime = probeTime
        }
    }

    /// The kinds of calls, from those that say least about the provider to those that say most.
    package enum Kind: Int, Sendable, CaseIterable {
        /// The check of a scan whose last check got no answer.
        case suspect
        /// The check of any other scan.
        case check
        /// The start of a scan. While checks are stopped, one start at a time is let through, and the first failure
        /// stops all.
        case start
    }

    /// The permission for one call, which is returned with ``settle(_:_:at:jitter:)``.
    package struct Pass: Sendable, Equatable {
        fileprivate let kind: Kind
        fileprivate let number: Int
        fileprivate let period: Int
        fileprivate let begun: Uptime
        fileprivate let role: Role

        /// Whether the call probes if the provider is back.
        package var isProbe: Bool { role == .probe }
    }

    fileprivate enum Role: Sendable { case usual, probe, final }

    /// The outcome of a call as evidence about the provider.
    package enum Outcome: Sendable, Equatable, CaseIterable {
        /// The provider answered, with any verdict about the person.
        case answered
        case failed
        /// The call was given up before it showed anything about the provider.
        case void
    }

    /// The state of one kind of call.
    private struct Lane: Sendable, Equatable {
        var failuresInARow = 0
        /// The time until which no probe is admitted; `nil` while this kind is not stopped.
        var pausedUntil: Uptime?
        /// The time of the last stop.
        var stoppedAt: Uptime?
        /// The newest probe in progress.
        var probe: Probe?
        /// Earlier probes that are still in progress.
        var overtaken: Set<Int> = []
        /// The number of failed probes.
        var failedProbes = 0
        /// The time of the last answer to a call of the kind.
        var lastAnswer: Uptime?

        mutating func begin(_ next: Probe) {
            if let probe { overtaken.insert(probe.number) }
            probe = next
        }

        /// Ends the probe of this pass, and returns whether the pass was a probe in progress.
        mutating func endProbe(of pass: Pass) -> Bool {
            if overtaken.remove(pass.number) != nil { return true }
            guard probe?.number == pass.number else { return false }
            probe = nil
            return true
        }

        /// Stops the kind, so that no probe is admitted before `until`.
        mutating func stop(at now: Uptime, until: Uptime) {
            stoppedAt = now
            pausedUntil = until
        }

        /// Ends the pause and clears the counts of failures.
        mutating func reset() { self = Lane(lastAnswer: lastAnswer) }
    }

    private struct Probe: Sendable, Equatable {
        let number: Int
        let begun: Uptime
    }

    private let policy: Policy
    private var lanes: [Lane] = Kind.allCases.map { _ in Lane() }
    private var period = 0
    private var lastNumber = 0

    package init(_ policy: Policy) { self.policy = policy }

    /// Whether ``admit(_:at:)`` would return a pass.
    package func admits(_ kind: Kind = .check, at now: Uptime) -> Bool { role(of: kind, at: now) != nil }

    /// Returns a pass, or `nil` while the provider must not be called.
    package mutating func admit(_ kind: Kind = .check, at now: Uptime) -> Pass? {
        guard let role = role(of: kind, at: now) else { return nil }
        let pass = pass(kind, role, at: now)
        if role == .probe { lanes[kind.rawValue].begin(Probe(number: pass.number, begun: now)) }
        return pass
    }

    /// Returns a pass in any state of the circuit, for the last check before a deadline.
    ///
    /// Otherwise a login would fail because the circuit does not know yet that the provider is back.
    package mutating func admitFinal(_ kind: Kind, at now: Uptime) -> Pass { pass(kind, .final, at: now) }

    /// Records the outcome of a call.
    ///
    /// `jitter`: a number in `0 ..< 1`, so that several daemons do not probe at the same moments.
    package mutating func settle(_ pass: Pass, _ outcome: Outcome, at now: Uptime, jitter: Double) {
        guard counts(pass, outcome) else { return }
        switch outcome {
        case .void: break
        case .answered: takeAnswer(of: pass.kind, at: now)
        case .failed: takeFailure(of: pass, at: now, jitter)
        }
    }

    /// Returns the state for display: that of starts or of checks, whichever is worse.
    ///
    /// Suspect scans are left out: their hanging says nothing about the provider.
    package func circuit(at now: Uptime) -> ProviderCircuit {
        let stopped = [Kind.check, .start].compactMap { lanes[$0.rawValue].pausedUntil }
        guard !stopped.isEmpty else { return .closed }
        return stopped.contains { now < $0 } ? .open : .halfOpen
    }

    /// Returns the state of one kind of call.
    package func circuit(of kind: Kind, at now: Uptime) -> ProviderCircuit {
        lanes[kind.rawValue].pausedUntil.map { until -> ProviderCircuit in now < until ? .open : .halfOpen } ?? .closed
    }

    /// Returns the number of failed probes of the kind since it was stopped.
    package func failedProbes(_ kind: Kind) -> Int { lanes[kind.rawValue].failedProbes }

    private func role(of kind: Kind, at now: Uptime) -> Role? {
        let lane = lanes[kind.rawValue]
        // Starts are not stopped by suspect scans: people who begin at the same moment are all let through.
        guard circuitStops(kind) else { return .usual }
        if let until = lane.pausedUntil, now < until { return nil }
        // A hanging probe does not prevent the next one, which may find that the provider is back.
        guard let probe = lane.probe, now - probe.begun < policy.probeTime else { return .probe }
        return nil
    }

    /// Whether the kind is stopped, or admitted one call at a time.
    private func circuitStops(_ kind: Kind) -> Bool {
        let isStopped = lanes[kind.rawValue].pausedUntil != nil
        return isStopped || (kind == .start && lanes[Kind.check.rawValue].pausedUntil != nil)
    }

    private mutating func pass(_ kind: Kind, _ role: Role, at now: Uptime) -> Pass {
        lastNumber += 1
        return Pass(kind: kind, number: lastNumber, period: period, begun: now, role: role)
    }

    /// Whether the outcome of the call still counts, after ending the call's probe.
    private mutating func counts(_ pass: Pass, _ outcome: Outcome) -> Bool {
        switch pass.role {
        case .usual: return pass.period == period && lanes[pass.kind.rawValue].pausedUntil == nil
        // A final check has little time, and counts as much as a probe.
        case .final: return true
        case .probe:
            guard lanes[pass.kind.rawValue].endProbe(of: pass) else { return false }
            // A probe that hangs fails long after it began. It must not stop the kind again when the provider is back.
            return outcome == .answered || pass.begun >= (lanes[pass.kind.rawValue].stoppedAt ?? pass.begun)
        }
    }

    private mutating func takeAnswer(of kind: Kind, at now: Uptime) {
        lanes[kind.rawValue].lastAnswer = now
        let checksWereStopped = lanes[Kind.check.rawValue].pausedUntil != nil
        let suspectsWereStopped = lanes[Kind.suspect.rawValue].pausedUntil != nil
        for other in Kind.allCases where other != .start || kind == .start || checksWereStopped {
            lanes[other.rawValue].reset()
        }
        if checksWereStopped || suspectsWereStopped { period += 1 }
    }

    /// Whether the provider answered another call after this one began, so that the failure was this call's alone.
    ///
    /// For starts, answered checks do not count.
    private func wasAnswered(since pass: Pass) -> Bool {
        let kinds: [Kind] = pass.kind == .start ? [.start] : Kind.allCases
        return kinds.contains { kind in lanes[kind.rawValue].lastAnswer.map { $0 > pass.begun } ?? false }
    }

    private mutating func takeFailure(of pass: Pass, at now: Uptime, _ jitter: Double) {
        if wasAnswered(since: pass) { return }
        if pass.role == .probe {
            lanes[pass.kind.rawValue].failedProbes += 1
            return stop(pass.kind, at: now, jitter)
        }
        guard pass.period == period, lanes[pass.kind.rawValue].pausedUntil == nil else { return }
        lanes[pass.kind.rawValue].failuresInARow += 1
        if lanes[pass.kind.rawValue].failuresInARow >= policy.failures { stop(pass.kind, at: now, jitter) }
    }

    /// Stops a kind and, together with checks, suspect checks.
    private mutating func stop(_ kind: Kind, at now: Uptime, _ jitter: Double) {
        let until = now + policy.pause * (0.9 + 0.2 * jitter)
        // A provider may start no scans and still answer checks of existing scans.
        guard kind != .start else { return lanes[kind.rawValue].stop(at: now, until: until) }
        period += 1
        for index in 0...kind.rawValue { lanes[index].stop(at: now, until: until) }
    }
}
