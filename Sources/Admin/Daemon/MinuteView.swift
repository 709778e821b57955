/// What happened in one minute.
///
/// Its parts are one flat object in JSON.
package struct MinuteView: Codable, Sendable, Equatable {
    /// The end of the minute, in milliseconds since 1970.
    package let at: Int64
    package let logins: Logins
    package let requests: Requests
    package let providers: [ProviderMinuteView]
    /// Failed logins as `login` with the code that their client was told, and failed commits as `database` with the
    /// cause; without what did not happen, and `nil` from an older daemon.
    package let errors: [String: Int]?

    package init(
        at: Int64,
        logins: Logins,
        requests: Requests,
        providers: [ProviderMinuteView],
        errors: [String: Int]?
    ) {
        self.at = at
        self.logins = logins
        self.requests = requests
        self.providers = providers
        self.errors = errors
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Members.self)
        self.init(
            at: try members.decode(Int64.self, forKey: .at),
            logins: try Logins(from: decoder),
            requests: try Requests(from: decoder),
            providers: try members.decode([ProviderMinuteView].self, forKey: .providers),
            errors: try members.decodeIfPresent([String: Int].self, forKey: .errors)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        try logins.encode(to: encoder)
        try requests.encode(to: encoder)
        var members = encoder.container(keyedBy: Members.self)
        try members.encode(at, forKey: .at)
        try members.encode(providers, forKey: .providers)
        try members.encodeIfPresent(errors, forKey: .errors)
    }

    private enum Members: String, CodingKey {
        case at, providers, errors
    }

    /// The logins of a minute.
    package struct Logins: Codable, Sendable, Equatable {
        /// The number of logins that began, were approved and failed.
        package let begun: Int
        package let approved: Int
        package let failed: Int
        /// The number of logins in progress at the end of the minute.
        package let live: Int

        package init(begun: Int, approved: Int, failed: Int, live: Int) {
            self.begun = begun
            self.approved = approved
            self.failed = failed
            self.live = live
        }
    }

    /// The requests of a minute.
    package struct Requests: Codable, Sendable, Equatable {
        /// The number of requests that wait at the end of the minute.
        package let waiting: Int
        package let refused: Int

        package init(waiting: Int, refused: Int) {
            self.waiting = waiting
            self.refused = refused
        }
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
