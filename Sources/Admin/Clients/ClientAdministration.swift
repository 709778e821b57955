package import OAuth

/// The administration of clients.
package struct ClientAdministration: Sendable {
    let service: ClientService
    /// The ids of the config's clients, including those that do not use OAuth.
    let configured: Set<String>
    /// Returns the state of a client's logout notices.
    let logouts: @Sendable (_ client: String) async throws -> NoticeQueueState

    package init(
        service: ClientService,
        configured: Set<String>,
        logouts: @escaping @Sendable (_ client: String) async throws -> NoticeQueueState
    ) {
        self.service = service
        self.configured = configured
        self.logouts = logouts
    }
}
