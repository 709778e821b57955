import Kernel
package import MockServing

extension MockState {
    // MARK: Scenarios

    /// Sets the next scans of that account.
    ///
    /// `account` is an AccountNumber, an e-mail, or `*` for every account without a scenario of its own.
    ///
    /// No steps removes it.
    package mutating func setScenario(_ scenario: Scenario, for account: String) throws(ProviderError) {
        let key = Self.scenarioKey(account)
        guard !scenario.steps.isEmpty else {
            scenarios[key] = nil
            return
        }
        guard scenarios[key] != nil || scenarios.count < configuration.limits.scenarios else { throw .full }
        scenarios[key] = scenario
    }

    package func scenario(for account: String) -> Scenario? { scenarios[Self.scenarioKey(account)] }

    /// The account's own scenario goes before its magic address, and that before `*`.
    mutating func nextStep(for number: String) -> ScenarioStep? {
        let email = accounts[number]?.account.email ?? ""
        for key in [number, email] {
            if let step = takeStep(Self.scenarioKey(key)) { return step }
        }
        return MagicAddress.step(for: email) ?? takeStep("*")
    }

    /// Addresses are compared without case, as people type them; AccountNumbers as they are.
    static func scenarioKey(_ account: String) -> String { account.contains("@") ? account.lowercased() : account }

    private mutating func takeStep(_ key: String) -> ScenarioStep? {
        guard let step = scenarios[key]?.nextStep() else { return nil }
        if scenarios[key]?.stepsLeft == 0 { scenarios[key] = nil }
        return step
    }

    // MARK: Faults

    /// Puts a fault in force; one per target, the last one counts.
    package mutating func setFault(_ rule: FaultRule, random: MachineInputs.RandomBytes) {
        faults[rule.target] = ActiveFault(rule: rule, seed: rule.seed ?? Self.seed(random))
    }

    package mutating func clearFaults() { faults = [:] }

    /// The faults in force and how often each has struck.
    package func listFaults() -> [(rule: FaultRule, strikes: Int)] {
        FaultTarget.allCases.compactMap { target in faults[target].map { ($0.rule, $0.strikes) } }
    }

    /// Returns the effect of a fault on this call.
    ///
    /// `scan` is the one that a status call asks about: a fault of its own goes before the target's.
    mutating func strike(
        _ call: ProviderCall,
        scan id: UUIDBits?,
        now: Instant
    ) -> (kind: FaultKind, effect: FaultEffect)? {
        guard let target = call.target else { return nil }
        if target == .status, let id, let effect = scans[id]?.fault?.strike(), let kind = scans[id]?.fault?.rule.kind {
            return (kind, effect)
        }
        guard let kind = faults[target]?.rule.kind else { return nil }
        // A scan accepts late once and for all: its other calls are not drawn for.
        if kind == .lateAccept, target == .status {
            guard let id, let scan = scans[id], !scan.acceptsLate, scan.verdict(at: now) == nil else { return nil }
        }
        guard let effect = faults[target]?.strike() else { return nil }
        if effect == .lateAccept, target == .status, let id { acceptLate(id) }
        if faults[target]?.isSpent == true { faults[target] = nil }
        return (kind, effect)
    }

    static func seed(_ random: MachineInputs.RandomBytes) -> UInt64 {
        random(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
