package import Kernel

/// Queues notices to clients whose sessions end, in the unit of work that ends them (Back-Channel Logout §2.5).
package struct LogoutNotices: Sendable {
    package let directory: OAuthClientDirectory
    let store: any LogoutNoticeStore
    private let environment: Environment
    package let counts = LogoutCounts()
    let signal = WorkSignal()

    package init(directory: OAuthClientDirectory, store: any LogoutNoticeStore, environment: Environment) {
        self.directory = directory
        self.store = store
        self.environment = environment
    }

    /// Queues a notice for each of the sessions whose client has a logout endpoint.
    package func queue(
        _ ended: [(session: SessionID, client: String)],
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        let now = environment.now()
        let notices = ended.compactMap { session, id -> LogoutNotice? in
            guard let client = directory.client(id), let endpoint = client.tokens.logout else { return nil }
            return LogoutNotice(
                session: session,
                account: account,
                client: id,
                endpoint: endpoint.uri,
                algorithm: client.tokens.identityAlgorithm,
                createdAt: now
            )
        }
        guard !notices.isEmpty else { return }
        try store.insert(notices, in: transaction)
        transaction.whenDurable { [signal] in signal.raise() }
    }

    /// Returns the state of the client's notices.
    package func state(of client: String, _ unitOfWork: any UnitOfWork) async throws -> NoticeQueueState {
        try await unitOfWork.read { [store] in try store.state(of: client, in: $0) }
    }
}
