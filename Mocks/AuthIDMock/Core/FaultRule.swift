import Kernel

/// A fault as a tester asks for it.
package struct FaultRule: Equatable, Sendable {
    package var target: FaultTarget
    package var kind: FaultKind
    /// How often it strikes before it is gone; `nil` is until it is removed.
    package var count: Int?
    /// The share of the calls that it strikes, `0 ... 1`.
    package var rate: Double
    /// How long `hang` holds (`nil`: until the client gives up) and `slow` delays.
    package var duration: Duration?
    /// Decides the draws of `rate`; `nil` takes one from the mock's randomness.
    package var seed: UInt64?

    package init(
        target: FaultTarget,
        kind: FaultKind,
        count: Int? = nil,
        rate: Double = 1,
        duration: Duration? = nil,
        seed: UInt64? = nil
    ) {
        self.target = target
        self.kind = kind
        self.count = count
        self.rate = rate
        self.duration = duration
        self.seed = seed
    }
}

/// The effect of a fault on a call, instead of or besides the answer.
package enum FaultEffect: Equatable, Sendable {
    case answer(ProviderError)
    case hang(Duration?)
    case slow(Duration)
    case garbage
    case truncate
    case reset
    case wrongTransaction
    case lateAccept
}

/// A rule in force, with its own stream of draws, so that other calls can't shift them.
struct ActiveFault: Sendable {
    let rule: FaultRule
    private(set) var strikes = 0
    private var calls = 0
    private var generator: SeededGenerator

    init(rule: FaultRule, seed: UInt64) {
        self.rule = rule
        generator = SeededGenerator(seed: seed)
    }

    var isSpent: Bool { rule.count.map { strikes >= $0 } ?? false }

    /// Decides about one call: the effect, or `nil` when the call is let through.
    mutating func strike() -> FaultEffect? {
        guard !isSpent, generator.unitInterval() < rule.rate else { return nil }
        calls += 1
        if rule.kind == .flap, calls.isMultiple(of: 2) { return nil }
        strikes += 1
        return effect
    }

    private var effect: FaultEffect {
        switch rule.kind {
        case .http500, .flap: .answer(.internalError)
        case .http429: .answer(.tooManyRequests)
        case .http401: .answer(.notAuthenticated)
        case .http409: .answer(.accountLocked)
        case .notFound: .answer(.notFound)
        case .hang: .hang(rule.duration)
        case .slow: .slow(rule.duration ?? .seconds(2))
        case .garbage: .garbage
        case .truncate: .truncate
        case .reset: .reset
        case .wrongTransaction: .wrongTransaction
        case .lateAccept: .lateAccept
        }
    }
}
