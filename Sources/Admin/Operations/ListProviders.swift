/// `vestibule provider list`: the configured face providers, which the command reads from the config where no daemon runs.
package struct ListProviders: AdminCommand {
    package static let name = "listProviders"
    package static let replyName = "providers"

    package init() {}

    package func handle(_ services: AdminServices) async throws -> [ProviderView] { services.faceLogin.providers() }
}

/// A configured face provider.
package struct ProviderView: Codable, Sendable, TableRow {
    let name: String
    let kind: String
    /// Host, and port if there is one, of its API.
    let host: String
    /// `ok` or `degraded`; `nil` while no daemon runs.
    let state: String?

    package init(name: String, kind: String, host: String, state: String?) {
        self.name = name
        self.kind = kind
        self.host = host
        self.state = state
    }

    package static let titles = ["NAME", "KIND", "HOST", "STATE"]

    package var cells: [String] { [name, kind, host, state ?? "-"] }
}
