package import Kernel

/// How a mock is set up.
package struct MockConfiguration: Sendable {
    /// The Basic credentials of `auth/token`.
    package var keyID = "mock-key-id"
    package var keyValue = Secret("mock-key-value")
    /// Takes every created account as enrolled.
    package var autoEnroll = true
    /// The state at the start and again after a reset.
    package var plan = MockPlan()
    /// Where webhooks go at the start and after a reset; `nil` sends none.
    package var webhooks: WebhookPlan?
    /// Whether webhooks may leave this machine.
    package var allowsRemoteWebhooks = false
    package var limits = Limits()

    package init() {}

    /// Bounds of what is kept in memory.
    ///
    /// The oldest scans, tokens and logged requests go first; accounts and scenarios over the bound are refused.
    package struct Limits: Sendable {
        package var scans = 100_000
        package var requestLog = 2_000
        package var tokens = 10_000
        package var accounts = 100_000
        package var scenarios = 10_000
        package var recording = Recording.Limits()

        package init() {}
    }
}

/// A prepared situation: accounts, scenarios, faults, how webhooks are delivered, and a timeline to play.
package struct MockPlan: Equatable, Sendable {
    package struct PlannedAccount: Equatable, Sendable {
        package var account: Account
        /// `nil` follows `autoEnroll`.
        package var isEnrolled: Bool?
    }

    package var accounts: [PlannedAccount] = []
    /// By AccountNumber or e-mail; `*` is for every account without one of its own.
    package var scenarios: [String: Scenario] = [:]
    package var faults: [FaultRule] = []
    package var timeline = Timeline()
    /// How webhooks are delivered, where they are on.
    package var webhooks: WebhookChange?

    package init() {}

    /// Adds another plan; its scenarios and faults replace those for the same account and target.
    package mutating func merge(_ other: MockPlan) {
        accounts += other.accounts
        scenarios.merge(other.scenarios) { $1 }
        faults += other.faults
        timeline.steps += other.timeline.steps
        webhooks = other.webhooks ?? webhooks
    }
}
