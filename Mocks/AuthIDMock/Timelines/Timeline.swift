import Kernel

/// A script of what the provider does, step by step.
package struct Timeline: Equatable, Sendable {
    package var steps: [TimelineStep] = []

    package init(steps: [TimelineStep] = []) { self.steps = steps }

    /// Bounds what one file can make the mock do.
    static let maximumSteps = 1_000
}

/// One step: what is waited for, for how long, and then what is done.
package struct TimelineStep: Equatable, Sendable {
    /// An action by somebody else that a step can wait for.
    package enum Cue: String, CaseIterable, Codable, Sendable {
        /// A client begins a scan.
        case created
        /// A browser shows a scan's page.
        case opened
        /// A scan ends.
        case decided

        var text: String {
            switch self {
            case .created: "a scan to begin"
            case .opened: "a person to open a scan’s page"
            case .decided: "a scan to end"
            }
        }
    }

    /// From the step before on; `nil` waits for nothing.
    package var waitFor: Cue?
    /// After the step before, or after what was waited for.
    package var after: Duration = .zero
    package var say: String?
    package var clearsFaults = false
    package var fault: FaultRule?
    package var scenario: AccountScenario?
    package var enrolment: AccountEnrolment?
    /// Ends every scan that is pending, or those of one account.
    package var outcome: AccountOutcome?
    package var webhooks: WebhookChange?
    /// Sends one webhook at once.
    package var webhook: AccountWebhook?

    package init() {}
}

/// The scenario of an account's next scans.
package struct AccountScenario: Equatable, Sendable {
    package let account: String
    package let scenario: Scenario
}

/// Whether an account has a face on file.
package struct AccountEnrolment: Equatable, Sendable {
    package let account: String
    package let isEnrolled: Bool
}

/// How pending scans end; those of every account where none is named.
package struct AccountOutcome: Equatable, Sendable {
    package let account: String?
    package let outcome: Outcome
}

/// One webhook about the newest scan, of that account or of any, as it stands.
package struct AccountWebhook: Equatable, Sendable {
    package var account: String?
    package var mangling: WebhookMangling?
    package var copies = 1

    package init(account: String? = nil, mangling: WebhookMangling? = nil, copies: Int = 1) {
        self.account = account
        self.mangling = mangling
        self.copies = copies
    }
}

/// How webhooks are delivered from a step on; what is `nil` stays as it is.
package struct WebhookChange: Equatable, Sendable {
    package var copies: Int?
    package var delay: Duration?
    package var disorder: Duration?
    /// `.some(nil)` makes them whole again.
    package var mangling: WebhookMangling??

    /// How a plan delivers, without its receiver and its secret.
    init(of plan: WebhookPlan) {
        self.init(copies: plan.copies, delay: plan.delay, disorder: plan.disorder, mangling: .some(plan.mangling))
    }

    init(copies: Int?, delay: Duration?, disorder: Duration?, mangling: WebhookMangling??) {
        self.copies = copies
        self.delay = delay
        self.disorder = disorder
        self.mangling = mangling
    }

    func applied(to plan: WebhookPlan) -> WebhookPlan {
        var plan = plan
        if let copies { plan.copies = copies }
        if let delay { plan.delay = delay }
        if let disorder { plan.disorder = disorder }
        if let mangling { plan.mangling = mangling }
        return plan
    }
}

/// A message to the person that plays a timeline.
package struct TimelineNote: Equatable, Sendable {
    /// Counted from 1.
    package let step: Int
    package let of: Int
    /// Since the timeline began.
    package let at: Duration
    package let text: String
    /// Whether the timeline is over with it.
    package let isLast: Bool
}
