package import Kernel
package import Operations

/// Stops calling a provider that fails, and finds out with one call at a time when it is back.
///
/// Calls are of three kinds, and only failures that concern a kind stop it. Scans whose checks got no answer before
/// stop one another, and neither the checks of other scans nor new starts. Starts that fail stop starts alone: scans in
/// progress are checked as before. An answered start resumes all kinds. An answered check resumes checks, and starts
/// where checks were stopped too: a provider may answer checks and still start no scan.
///
/// Pure: time and jitter come in with each call. A new period begins where checks are stopped, and where they resume.
/// An outcome counts only in the period in which its call began. A call in progress when the circuit opened neither
/// opens it further nor closes it. Probes are an exception: their late answer closes it all the same.
package struct CircuitBreaker: Sendable, Equatable {
    package struct Policy: Sendable, Equatable {
        /// The number of failed calls of a kind in a row that opens the circuit.
        package var failures: Int
        /// How long it stays open, give or take a tenth, before one call may try.
        package var pause: Duration
        /// How long one call tries alone: after that time a second one may try beside it.
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
        /// A start. The first one that fails while checks do stops all starts; until then one at a time is let through.
        case start
    }

    /// The right to call once; each is returned with ``settle(_:_:at:jitter:)``.
    package struct Pass: Sendable, Equatable {
        fileprivate let kind: Kind
        fileprivate let number: Int
        fileprivate let period: Int
        fileprivate let begun: Uptime
        fileprivate let role: Role

        /// Whether it finds out how the provider does.
        package var isProbe: Bool { role == .probe }
    }

    fileprivate enum Role: Sendable { case usual, probe, final }

    /// The evidence of a call about the provider.
    package enum Outcome: Sendable, Equatable, CaseIterable {
        /// The provider answered, with any verdict about the person.
        case answered
        case failed
        /// The call was given up before anything was learnt.
        case void
    }

    /// The state of one kind of call.
    private struct Lane: Sendable, Equatable {
        var failuresInARow = 0
        /// The time until which no call tries; `nil` while this kind is not stopped.
        var pausedUntil: Uptime?
        /// The time of the last stop.
        var stoppedAt: Uptime?
        /// The call that tries just now.
        var probe: Probe?
        /// Calls that still try, while a later one tries too.
        var overtaken: Set<Int> = []
        /// The number of failed probes.
        var failedProbes = 0
        /// The time of the last answer to a call of the kind.
        var lastAnswer: Uptime?

        mutating func begin(_ next: Probe) {
            if let probe { overtaken.insert(probe.number) }
            probe = next
        }

        /// Ends the probe that this pass was, and returns whether it was one, alone or beside a later one.
        mutating func endProbe(of pass: Pass) -> Bool {
            if overtaken.remove(pass.number) != nil { return true }
            guard probe?.number == pass.number else { return false }
            probe = nil
            return true
        }

        /// Stops the kind, so that no call tries before `until`.
        mutating func stop(at now: Uptime, until: Uptime) {
            stoppedAt = now
            pausedUntil = until
        }

        /// Ends the pause, and forgets what led to it.
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

    /// Whether ``admit(_:at:)`` would give a pass.
    package func admits(_ kind: Kind = .check, at now: Uptime) -> Bool { role(of: kind, at: now) != nil }

    /// Returns `nil` while the provider is to be left alone.
    package mutating func admit(_ kind: Kind = .check, at now: Uptime) -> Pass? {
        guard let role = role(of: kind, at: now) else { return nil }
        let pass = pass(kind, role, at: now)
        if role == .probe { lanes[kind.rawValue].begin(Probe(number: pass.number, begun: now)) }
        return pass
    }

    /// Returns a pass in any state of the circuit, for the last check before a deadline.
    ///
    /// A login is not to be lost because the circuit has not noticed yet that the provider is back.
    package mutating func admitFinal(_ kind: Kind, at now: Uptime) -> Pass { pass(kind, .final, at: now) }

    /// Takes in how a call went; `jitter` in `0 ..< 1` keeps several daemons from trying in step.
    package mutating func settle(_ pass: Pass, _ outcome: Outcome, at now: Uptime, jitter: Double) {
        guard counts(pass, outcome) else { return }
        switch outcome {
        case .void: break
        case .answered: takeAnswer(of: pass.kind, at: now)
        case .failed: takeFailure(of: pass, at: now, jitter)
        }
    }

    /// Returns the state for readers that call nobody: that of starts or checks, whichever is worse.
    ///
    /// Scans that hang say nothing about the provider.
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
        // Suspect scans say nothing about starts: people who press at the same moment all get through.
        guard circuitStops(kind) else { return .usual }
        if let until = lane.pausedUntil, now < until { return nil }
        // A call that hangs keeps nobody else from finding out that the provider is back.
        guard let probe = lane.probe, now - probe.begun < policy.probeTime else { return .probe }
        return nil
    }

    /// Whether the kind is stopped, or let through one at a time.
    private func circuitStops(_ kind: Kind) -> Bool {
        let isStopped = lanes[kind.rawValue].pausedUntil != nil
        return isStopped || (kind == .start && lanes[Kind.check.rawValue].pausedUntil != nil)
    }

    private mutating func pass(_ kind: Kind, _ role: Role, at now: Uptime) -> Pass {
        lastNumber += 1
        return Pass(kind: kind, number: lastNumber, period: period, begun: now, role: role)
    }

    /// Whether the outcome of that call still says something; the one that tries gives up its place.
    private mutating func counts(_ pass: Pass, _ outcome: Outcome) -> Bool {
        switch pass.role {
        case .usual: return pass.period == period && lanes[pass.kind.rawValue].pausedUntil == nil
        // Short, and as good as a call that tries.
        case .final: return true
        case .probe:
            guard lanes[pass.kind.rawValue].endProbe(of: pass) else { return false }
            // One that hangs fails long after it began: it must not stop the kind again when the provider is back.
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

    /// Whether the provider answered another call since that one began, which so failed by its own fault.
    ///
    /// An answered check says nothing about starts.
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

    /// Stops a kind, and of checks those that say less.
    private mutating func stop(_ kind: Kind, at now: Uptime, _ jitter: Double) {
        let until = now + policy.pause * (0.9 + 0.2 * jitter)
        // A provider may start no scans and still answer checks of the scans that it has.
        guard kind != .start else { return lanes[kind.rawValue].stop(at: now, until: until) }
        period += 1
        for index in 0...kind.rawValue { lanes[index].stop(at: now, until: until) }
    }
}
