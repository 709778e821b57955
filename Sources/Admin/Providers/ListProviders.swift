/// `vestibule provider list`: the configured face providers.
///
/// While no daemon runs, the command reads them from the config.
package struct ListProviders: AdminCommand {
    package static let name = "listProviders"
    package static let replyName = "providers"
    package static let effect = CommandEffect.reads

    package init() {}

    package func handle(_ services: AdminServices) async throws -> [ProviderView] { services.faceLogin.providers() }
}

/// A configured face provider.
package struct ProviderView: Codable, Sendable, TableRow {
    let name: String
    let kind: String
    /// The host of its API, with the port if there is one.
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
