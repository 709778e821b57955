/// The state of a daemon, for operators who look at it now.
///
/// Its parts are one flat object in JSON.
package struct StatusView: Codable, Sendable, Equatable {
    package let process: Process
    package let load: Load
    package let queues: [QueueView]
    package let providers: [ProviderStatusView]
    /// The last hour, the oldest minute first.
    package let minutes: [MinuteView]

    package init(
        process: Process,
        load: Load,
        queues: [QueueView],
        providers: [ProviderStatusView],
        minutes: [MinuteView]
    ) {
        self.process = process
        self.load = load
        self.queues = queues
        self.providers = providers
        self.minutes = minutes
    }

    package init(from decoder: any Decoder) throws {
        let lists = try decoder.container(keyedBy: Lists.self)
        self.init(
            process: try Process(from: decoder),
            load: try Load(from: decoder),
            queues: try lists.decode([QueueView].self, forKey: .queues),
            providers: try lists.decode([ProviderStatusView].self, forKey: .providers),
            minutes: try lists.decode([MinuteView].self, forKey: .minutes)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        try process.encode(to: encoder)
        try load.encode(to: encoder)
        var lists = encoder.container(keyedBy: Lists.self)
        try lists.encode(queues, forKey: .queues)
        try lists.encode(providers, forKey: .providers)
        try lists.encode(minutes, forKey: .minutes)
    }

    private enum Lists: String, CodingKey {
        case queues, providers, minutes
    }

    /// The daemon and its time.
    package struct Process: Codable, Sendable, Equatable {
        let version: String
        /// Whose server it is; `nil` from an older daemon.
        package let owner: OwnerView?
        /// Milliseconds since 1970.
        package let startedAt: Int64
        /// The daemon's time of the reply, in milliseconds since 1970.
        package let now: Int64

        package init(version: String, owner: OwnerView?, startedAt: Int64, now: Int64) {
            self.version = version
            self.owner = owner
            self.startedAt = startedAt
            self.now = now
        }
    }

    /// The logins and the requests about them.
    package struct Load: Codable, Sendable, Equatable {
        /// The number of logins in the daemon's memory, by state.
        package let operations: [String: Int]
        /// The number of requests that wait for a change of a login.
        package let waiting: Int
        /// The number of refused requests since the start, by reason.
        package let refusals: [String: Int]

        package init(operations: [String: Int], waiting: Int, refusals: [String: Int]) {
            self.operations = operations
            self.waiting = waiting
            self.refusals = refusals
        }
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
