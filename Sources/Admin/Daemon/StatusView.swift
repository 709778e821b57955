/// The state of a daemon, for operators who look at it now.
package struct StatusView: Codable, Sendable, Equatable {
    let version: String
    /// Whose server it is; `nil` from an older daemon.
    package let owner: OwnerView?
    /// Milliseconds since 1970.
    package let startedAt: Int64
    /// The daemon's time of the reply, in milliseconds since 1970.
    package let now: Int64
    /// The number of logins in the daemon's memory, by state.
    package let operations: [String: Int]
    /// The number of requests that wait for a change of a login.
    package let waiting: Int
    package let queues: [QueueView]
    /// The number of refused requests since the start, by reason.
    package let refusals: [String: Int]
    package let providers: [ProviderStatusView]
    /// The last hour, the oldest minute first.
    package let minutes: [MinuteView]

    package init(
        version: String,
        owner: OwnerView?,
        startedAt: Int64,
        now: Int64,
        operations: [String: Int],
        waiting: Int,
        queues: [QueueView],
        refusals: [String: Int],
        providers: [ProviderStatusView],
        minutes: [MinuteView]
    ) {
        self.version = version
        self.owner = owner
        self.startedAt = startedAt
        self.now = now
        self.operations = operations
        self.waiting = waiting
        self.queues = queues
        self.refusals = refusals
        self.providers = providers
        self.minutes = minutes
    }
}

/// Whose server it is, as its pages show it.
package struct OwnerView: Codable, Sendable, Equatable {
    package let name: String
    /// The colour of buttons and links in light, `#` and six digits; `nil` for the built-in one.
    package let accent: String?
    /// The same in dark.
    package let accentDark: String?

    package init(name: String, accent: String? = nil, accentDark: String? = nil) {
        self.name = name
        self.accent = accent
        self.accentDark = accentDark
    }
}

/// A queue of the daemon.
package struct QueueView: Codable, Sendable, Equatable {
    /// The name of the planned checks of scans, of which only those that are due wait.
    package static let checks = "checks"
    /// The most entries of a queue in the database that are counted.
    package static let mostCounted = 10_000

    /// `mail`, `CIBA notices`, `logout notices` or `checks`.
    package let name: String
    /// For a queue in the database at most one more than ``mostCounted``.
    package let count: Int
    /// How long its oldest entry has been waiting; `nil` for an empty queue, or where that is not known.
    package let oldestSeconds: Int64?

    package init(name: String, count: Int, oldestSeconds: Int64? = nil) {
        self.name = name
        self.count = count
        self.oldestSeconds = oldestSeconds
    }

    /// The count and the age, for people.
    package var words: String {
        let waiting = name == Self.checks ? "overdue" : "waiting"
        let number = count > Self.mostCounted && name != Self.checks ? "more than \(Self.mostCounted)" : "\(count)"
        return number + (oldestSeconds.map { ", the oldest \(waiting) for \($0) s" } ?? "")
    }
}

/// A face provider as it is now.
package struct ProviderStatusView: Codable, Sendable, Equatable {
    package let name: String
    package let isHealthy: Bool
    /// `closed`, `open` or `half_open`; `nil` for a provider without a circuit.
    package let circuit: String?
    /// For how long an operator lets no scan begin there; `nil` without a pause.
    package let pausedSeconds: Int64?

    package init(name: String, isHealthy: Bool, circuit: String?, pausedSeconds: Int64?) {
        self.name = name
        self.isHealthy = isHealthy
        self.circuit = circuit
        self.pausedSeconds = pausedSeconds
    }
}

/// What happened in one minute.
package struct MinuteView: Codable, Sendable, Equatable {
    /// The end of the minute, in milliseconds since 1970.
    package let at: Int64
    /// The number of logins that began, were approved and failed.
    package let begun: Int
    package let approved: Int
    package let failed: Int
    /// At the end of the minute: logins in progress, and requests that wait.
    package let live: Int
    package let waiting: Int
    package let refused: Int
    package let providers: [ProviderMinuteView]
    /// Failed logins as `login` with the code that their client was told, and failed commits as `database` with the
    /// cause; without what did not happen, and `nil` from an older daemon.
    package let errors: [String: Int]?

    package init(
        at: Int64,
        begun: Int,
        approved: Int,
        failed: Int,
        live: Int,
        waiting: Int,
        refused: Int,
        providers: [ProviderMinuteView],
        errors: [String: Int]?
    ) {
        self.at = at
        self.begun = begun
        self.approved = approved
        self.failed = failed
        self.live = live
        self.waiting = waiting
        self.refused = refused
        self.providers = providers
        self.errors = errors
    }
}

/// The calls of a provider in one minute.
package struct ProviderMinuteView: Codable, Sendable, Equatable {
    package let name: String
    package let calls: Int
    /// The calls among them without a usable answer.
    package let failures: Int
    /// The sum of the durations of all calls.
    package let milliseconds: Int64

    package init(name: String, calls: Int, failures: Int, milliseconds: Int64) {
        self.name = name
        self.calls = calls
        self.failures = failures
        self.milliseconds = milliseconds
    }
}
