package import Kernel
package import Operations

/// Stops calling a provider that fails, and finds out with one call at a time when it is back.
///
/// Pure: time and jitter come in with each call. Every change of state begins a new period, and an outcome counts only in
/// the period in which its call began: what was on its way when the circuit opened neither opens it further nor closes
/// it.
package struct CircuitBreaker: Sendable, Equatable {
    package struct Policy: Sendable, Equatable {
        /// So many failed calls in a row open the circuit.
        package var failures: Int
        /// How long it stays open, give or take a tenth, before one call may try.
        package var pause: Duration

        package init(failures: Int = 10, pause: Duration = .seconds(5)) {
            self.failures = failures
            self.pause = pause
        }
    }

    /// The right to call once; each is handed back with ``settle(_:_:at:jitter:)``.
    package struct Pass: Sendable, Equatable {
        fileprivate let period: Int
    }

    /// What a call says about the provider.
    package enum Outcome: Sendable, Equatable, CaseIterable {
        /// It answered, whatever it said about the person.
        case answered
        case failed
        /// The call was given up before anything was learnt.
        case void
    }

    private enum State: Sendable, Equatable {
        case closed(failuresInARow: Int)
        case open(until: Uptime)
        case halfOpen(isProbing: Bool)
    }

    private let policy: Policy
    private var state = State.closed(failuresInARow: 0)
    private var period = 0

    package init(_ policy: Policy) { self.policy = policy }

    /// Whether ``admit(at:)`` would give a pass.
    package func admits(at now: Uptime) -> Bool {
        switch state {
        case .closed: true
        case .open(let until): now >= until
        case .halfOpen(let isProbing): !isProbing
        }
    }

    /// `nil` while the provider is to be left alone.
    package mutating func admit(at now: Uptime) -> Pass? {
        guard admits(at: now) else { return nil }
        switch state {
        case .closed: break
        case .open, .halfOpen: enter(.halfOpen(isProbing: true))
        }
        return Pass(period: period)
    }

    /// Takes in how a call went; `jitter` in `0 ..< 1` keeps several daemons from trying in step.
    package mutating func settle(_ pass: Pass, _ outcome: Outcome, at now: Uptime, jitter: Double) {
        guard pass.period == period else { return }
        switch (state, outcome) {
        case (.closed, .answered): state = .closed(failuresInARow: 0)
        case (.closed(let before), .failed):
            guard before + 1 >= policy.failures else { return state = .closed(failuresInARow: before + 1) }
            open(at: now, jitter)
        case (.closed, .void), (.open, _): break
        case (.halfOpen, .answered): enter(.closed(failuresInARow: 0))
        case (.halfOpen, .failed): open(at: now, jitter)
        case (.halfOpen, .void): enter(.halfOpen(isProbing: false))
        }
    }

    /// How it stands, for those who want to know and call nobody.
    package func circuit(at now: Uptime) -> ProviderCircuit {
        switch state {
        case .closed: .closed
        case .open(let until): now < until ? .open : .halfOpen
        case .halfOpen: .halfOpen
        }
    }

    private mutating func open(at now: Uptime, _ jitter: Double) {
        enter(.open(until: now + policy.pause * (0.9 + 0.2 * jitter)))
    }

    private mutating func enter(_ next: State) {
        state = next
        period += 1
    }
}
