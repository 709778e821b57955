import Kernel
package import MockServing

/// Everything the mock knows, as a value: no clock, no randomness and no I/O of its own.
///
/// The effect of a call depends on the state, the arguments, `now` and the random bytes that are handed in.
package struct MockState: Sendable {
    /// An account with what the provider knows about its face.
    struct AccountRecord: Sendable {
        var account: Account
        var isEnrolled: Bool
        /// The newest enrolment: counts as soon as it is accepted.
        var enrolment: UUIDBits?
    }

    let configuration: MockConfiguration
    var accounts: [String: AccountRecord] = [:]
    var scans: [UUIDBits: Scan] = [:]
    var order: BoundedLog<UUIDBits>
    var scenarios: [String: Scenario] = [:]
    var faults: [FaultTarget: ActiveFault] = [:]
    var tokens: TokenBook
    var webhooks: WebhookOutbox
    /// The timeline that is played.
    var run: TimelineRun?
    /// The presses of a tester, while they are recorded and afterwards.
    package internal(set) var recording: Recording?
    package internal(set) var requestLog: RequestLog

    package init(configuration: MockConfiguration, random: MachineInputs.RandomBytes) {
        self.configuration = configuration
        order = BoundedLog(capacity: configuration.limits.scans)
        requestLog = RequestLog(capacity: configuration.limits.requestLog)
        tokens = TokenBook(capacity: configuration.limits.tokens)
        webhooks = WebhookOutbox(
            plan: configuration.webhooks,
            capacity: configuration.limits.scans,
            records: configuration.limits.requestLog
        )
        apply(configuration.plan, random: random)
    }

    /// Back to the state at the start.
    ///
    /// Tokens stay good, so that clients need not sign in again. No timeline is played on.
    package mutating func reset(random: MachineInputs.RandomBytes) {
        let kept = tokens
        self = MockState(configuration: configuration, random: random)
        tokens = kept
    }

    mutating func apply(_ plan: MockPlan, random: MachineInputs.RandomBytes) {
        for planned in plan.accounts {
            accounts[planned.account.number] = AccountRecord(
                account: planned.account,
                isEnrolled: planned.isEnrolled ?? configuration.autoEnroll
            )
        }
        scenarios = plan.scenarios.reduce(into: [:]) { $0[Self.scenarioKey($1.key)] = $1.value }
        for rule in plan.faults { setFault(rule, random: random) }
        if let change = plan.webhooks { webhooks.plan = webhooks.plan.map(change.applied) }
    }
}

// MARK: - Tokens

extension MockState {
    /// `POST auth/token`.
    mutating func signIn(
        keyID: String,
        keyValue: Secret,
        now: Instant,
        random: MachineInputs.RandomBytes
    ) throws(ProviderError) -> TokenBook.Pair {
        let isKnown = Secret(keyID) == Secret(configuration.keyID)
        guard keyValue == configuration.keyValue, isKnown else { throw .notAuthenticated }
        return tokens.issue(at: now, random: random)
    }

    /// Throws 401 unless `token` is an access token in force.
    func authenticate(_ token: String?, now: Instant) throws(ProviderError) {
        guard let token, tokens.isValid(access: token, at: now) else { throw .notAuthenticated }
    }
}
