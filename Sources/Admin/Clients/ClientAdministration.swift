package import OAuth

/// The administration of clients.
package struct ClientAdministration: Sendable {
    let service: ClientService
    /// The ids of the config's clients, including those that do not use OAuth.
    let configured: Set<String>

    package init(service: ClientService, configured: Set<String>) {
        self.service = service
        self.configured = configured
    }
}
