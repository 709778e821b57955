import Yams

/// `{accountNumber, displayName?, email?, enrolled?}`.
extension MockPlan.PlannedAccount: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case accountNumber, displayName, email, enrolled }

    package init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        account = Account(
            number: try map.decode(String.self, forKey: .accountNumber),
            displayName: try map.decodeIfPresent(String.self, forKey: .displayName) ?? "",
            email: try map.decodeIfPresent(String.self, forKey: .email) ?? ""
        )
        isEnrolled = try map.decodeIfPresent(Bool.self, forKey: .enrolled)
    }
}

/// `{accounts?: […], scenarios?: {account: scenario}, faults?: […], webhooks?: change, timeline?: [steps]}`.
extension MockPlan: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case accounts, scenarios, faults, webhooks, timeline }

    package init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        self.init()
        accounts = try map.decodeIfPresent([PlannedAccount].self, forKey: .accounts) ?? []
        scenarios = try map.decodeIfPresent([String: Scenario].self, forKey: .scenarios) ?? [:]
        faults = try map.decodeIfPresent([FaultRule].self, forKey: .faults) ?? []
        webhooks = try map.decodeIfPresent(WebhookChange.self, forKey: .webhooks)
        timeline = try map.decodeIfPresent(Timeline.self, forKey: .timeline) ?? Timeline()
    }
}

/// A scenario file can't be used; ``text`` says why and where.
package struct MockPlanError: Error, Equatable, Sendable, CustomStringConvertible {
    package let text: String
    package var description: String { text }
}

extension MockPlan {
    /// Reads a scenario file.
    package init(yaml: String) throws(MockPlanError) {
        do {
            self = try YAMLDecoder().decode(MockPlan.self, from: yaml)
        } catch let error as DecodingError {
            throw MockPlanError(text: error.explanation)
        } catch {
            throw MockPlanError(text: "\(error)")
        }
    }
}
