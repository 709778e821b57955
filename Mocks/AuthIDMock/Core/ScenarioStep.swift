import Kernel

/// The behaviour of one scan: an outcome after a while, a fault of its status calls, or both.
package struct ScenarioStep: Equatable, Sendable {
    package var outcome: Outcome?
    /// From the scan's creation to the outcome.
    package var after: Duration
    package var fault: FaultKind?
    /// How long `hang` holds and `slow` delays; `nil` is the fault's own default.
    package var faultDuration: Duration?

    package init(
        outcome: Outcome? = nil,
        after: Duration = .zero,
        fault: FaultKind? = nil,
        faultDuration: Duration? = nil
    ) {
        self.outcome = outcome
        self.after = after
        self.fault = fault
        self.faultDuration = faultDuration
    }
}

/// The steps that the next scans of an account take, one each.
package struct Scenario: Equatable, Sendable {
    package let steps: [ScenarioStep]
    /// Starts over after the last step; otherwise further scans behave as without a scenario.
    package let repeats: Bool
    private var position = 0

    package init(steps: [ScenarioStep], repeats: Bool = false) {
        self.steps = steps
        self.repeats = repeats
    }

    package var stepsLeft: Int { repeats ? steps.count : steps.count - position }

    mutating func nextStep() -> ScenarioStep? {
        if repeats, position == steps.count { position = 0 }
        guard position < steps.count else { return nil }
        defer { position += 1 }
        return steps[position]
    }
}
