package import Accounts
package import Kernel
package import Sessions
package import SignIn

/// What the command line may ask about sessions.
package struct SessionAdministration: Sendable {
    private static let mostSessions = 1000

    private let accounts: AccountDesk
    private let sessions: SessionDesk
    private let ending: EndingService
    private let unitOfWork: any UnitOfWork
    private let facts: Facts

    package init(
        accounts: AccountDesk,
        sessions: SessionDesk,
        ending: EndingService,
        unitOfWork: any UnitOfWork,
        facts: Facts
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.ending = ending
        self.unitOfWork = unitOfWork
        self.facts = facts
    }

    /// An account's sessions, the newest first.
    func list(of name: String, limit: Int) async throws -> AdminReply {
        let account = try await accounts.show(name).account.id
        let now = facts.now()
        let found = try await sessions.list(of: account, limit: min(max(limit, 1), Self.mostSessions))
        return .sessions(found.map { .init($0, at: now) })
    }

    /// Ends one session, with what was opened out of it; its access tokens are refused from the next request on.
    func revoke(_ text: String) async throws -> AdminReply {
        let missing = AdminReply.fault(
            code: "session_not_found",
            message: "There is no session \(text); `sessions list WHO` shows those of an account."
        )
        guard let id = SessionID(parsing: text), let session = try await sessions.find(id) else { return missing }
        let isEnded = try await unitOfWork.run { [ending] transaction in
            try ending.revoke(id, of: session.account, in: transaction)
        }
        guard isEnded else { return .fault(code: "session_over", message: "The session \(id) is over already.") }
        try await ending.settle(.sessionRevoked, of: session.account)
        return .revokedSessions(1)
    }

    /// Ends all of an account's sessions.
    func revokeAll(of name: String) async throws -> AdminReply {
        let account = try await accounts.show(name).account.id
        let count = try await unitOfWork.run { [ending] transaction in
            try ending.end(.sessionsRevoked, of: account, in: transaction)
        }
        try await ending.settle(.sessionsRevoked, of: account)
        return .revokedSessions(count)
    }
}

extension AdminReply {
    /// A session as operators see it.
    package struct SessionView: Codable, Sendable, Equatable {
        package let id: String
        package let client: String
        /// The device that it was opened on, where one is known.
        package let device: String?
        package let methods: [String]
        /// Whether tokens can still be had for it.
        package let isOpen: Bool
        /// Milliseconds since 1970.
        package let createdAt: Int64
        package let refreshedAt: Int64
        package let expiresAt: Int64
        package let endedAt: Int64?
        /// Why it ended, where that is known.
        package let reason: String?
    }
}

extension AdminReply.SessionView {
    init(_ listed: ListedSession, at now: Instant) {
        let session = listed.session
        self.init(
            id: session.id.description,
            client: session.client,
            device: session.device?.description,
            methods: session.methods,
            isOpen: session.revokedAt == nil && now < listed.expiresAt,
            createdAt: session.createdAt.milliseconds,
            refreshedAt: listed.refreshedAt.milliseconds,
            expiresAt: listed.expiresAt.milliseconds,
            endedAt: session.revokedAt?.milliseconds,
            reason: session.revokedBecause?.rawValue
        )
    }
}
