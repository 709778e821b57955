/// `{"outcome"?, "afterMs"?, "fault"?, "ms"?}`: at least one of `outcome` and `fault`.
extension ScenarioStep: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case outcome, afterMs, fault, ms }

    package init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        self.init(
            outcome: map.contains(.outcome) ? try map.named(Outcome.self, .outcome) : nil,
            after: try map.milliseconds(.afterMs) ?? .zero,
            fault: map.contains(.fault) ? try map.named(FaultKind.self, .fault) : nil,
            faultDuration: try map.milliseconds(.ms)
        )
        func refuse(_ key: CodingKeys, _ text: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: map, debugDescription: text)
        }
        guard outcome != nil || fault != nil else { throw refuse(.outcome, "a step needs an outcome or a fault") }
        if outcome == nil, map.contains(.afterMs) { throw refuse(.afterMs, "afterMs needs an outcome") }
        if faultDuration != nil, fault?.takesDuration != true { throw refuse(.ms, "ms needs the fault hang or slow") }
    }
}

/// `{"steps": […], "repeat"?}`.
extension Scenario: Decodable {
    /// Bounds what one account can make the mock remember.
    static let maximumSteps = 1_000

    private enum CodingKeys: String, CodingKey, CaseIterable { case steps, `repeat` }

    package init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        self.init(
            steps: try map.decode([ScenarioStep].self, forKey: .steps),
            repeats: try map.decodeIfPresent(Bool.self, forKey: .repeat) ?? false
        )
        guard steps.count <= Self.maximumSteps else {
            throw DecodingError.dataCorruptedError(
                forKey: .steps,
                in: map,
                debugDescription: "more than \(Self.maximumSteps) steps"
            )
        }
    }
}
