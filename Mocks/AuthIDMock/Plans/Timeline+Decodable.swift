/// A list of steps.
extension Timeline: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let steps = try container.decode([TimelineStep].self)
        guard steps.count <= Self.maximumSteps else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "more than \(Self.maximumSteps) steps"
            )
        }
        self.init(steps: steps)
    }
}

/// `{waitFor?, afterMs?, say?, clearFaults?, fault?, scenario?, enrolment?, outcome?, account?, webhooks?, webhook?}`:
/// at least one.
extension TimelineStep: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case waitFor, afterMs, say, clearFaults, fault, scenario, enrolment, outcome, account, webhooks, webhook
    }

    package init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        self.init()
        waitFor = map.contains(.waitFor) ? try map.named(Cue.self, .waitFor) : nil
        after = try map.milliseconds(.afterMs) ?? .zero
        say = try map.decodeIfPresent(String.self, forKey: .say)
        clearsFaults = try map.decodeIfPresent(Bool.self, forKey: .clearFaults) ?? false
        fault = try map.decodeIfPresent(FaultRule.self, forKey: .fault)
        scenario = try map.decodeIfPresent(AccountScenario.self, forKey: .scenario)
        enrolment = try map.decodeIfPresent(AccountEnrolment.self, forKey: .enrolment)
        webhooks = try map.decodeIfPresent(WebhookChange.self, forKey: .webhooks)
        webhook = try map.decodeIfPresent(AccountWebhook.self, forKey: .webhook)
        let account = try map.decodeIfPresent(String.self, forKey: .account)
        if map.contains(.outcome) {
            outcome = AccountOutcome(account: account, outcome: try map.named(Outcome.self, .outcome))
        }
        func refuse(_ key: CodingKeys, _ text: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: map, debugDescription: text)
        }
        guard !map.allKeys.isEmpty else { throw refuse(.say, "a step does or waits for something") }
        if account != nil, outcome == nil { throw refuse(.account, "account needs an outcome") }
    }
}

/// `{account, steps, repeat?}`.
extension AccountScenario: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case account, steps, `repeat` }

    package init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        account = try map.decode(String.self, forKey: .account)
        scenario = Scenario(
            steps: try map.decode([ScenarioStep].self, forKey: .steps),
            repeats: try map.decodeIfPresent(Bool.self, forKey: .repeat) ?? false
        )
        guard scenario.steps.count <= Scenario.maximumSteps else {
            throw DecodingError.dataCorruptedError(forKey: .steps, in: map, debugDescription: "too many steps")
        }
    }
}

/// `{account, enrolled}`.
extension AccountEnrolment: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case account, enrolled }

    package init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        account = try map.decode(String.self, forKey: .account)
        isEnrolled = try map.decode(Bool.self, forKey: .enrolled)
    }
}

/// `{copies?, delayMs?, disorderMs?, mangle?}`; `mangle: none` makes them whole again.
extension WebhookChange: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case copies, delayMs, disorderMs, mangle }

    package init(from decoder: any Decoder) throws {
        _ = try decoder.strictContainer(CodingKeys.self)
        try self.init(among: decoder)
    }

    /// Reads its keys from a map that has others as well.
    init(among decoder: any Decoder) throws {
        let map = try decoder.container(keyedBy: CodingKeys.self)
        copies = try map.decodeIfPresent(Int.self, forKey: .copies)
        delay = try map.milliseconds(.delayMs)
        disorder = try map.milliseconds(.disorderMs)
        if let copies, !(1...WebhookPlan.maximumCopies).contains(copies) {
            throw DecodingError.dataCorruptedError(
                forKey: .copies,
                in: map,
                debugDescription: "\(copies) is not between 1 and \(WebhookPlan.maximumCopies)"
            )
        }
        guard map.contains(.mangle) else { return }
        let isNone = try map.decode(String.self, forKey: .mangle) == "none"
        mangling = .some(isNone ? nil : try map.named(WebhookMangling.self, .mangle))
    }
}

/// `{account?, mangle?, copies?}`.
extension AccountWebhook: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case account, mangle, copies }

    package init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        self.init(
            account: try map.decodeIfPresent(String.self, forKey: .account),
            mangling: map.contains(.mangle) ? try map.named(WebhookMangling.self, .mangle) : nil,
            copies: try map.decodeIfPresent(Int.self, forKey: .copies) ?? 1
        )
        guard (1...WebhookPlan.maximumCopies).contains(copies) else {
            throw DecodingError.dataCorruptedError(
                forKey: .copies,
                in: map,
                debugDescription: "\(copies) is not between 1 and \(WebhookPlan.maximumCopies)"
            )
        }
    }
}
