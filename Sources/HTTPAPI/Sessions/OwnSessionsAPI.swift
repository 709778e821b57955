import Accounts
import Hummingbird
import Kernel
import Sessions
import SignIn
import Wire

/// The routes by which signed-in people read their own profile, and list and end their sessions.
struct OwnSessionsAPI: Sendable {
    private static let mostSessions = 50

    let accounts: AccountService
    let sessions: SessionService
    let own: OwnSessions
    let environment: Environment

    var routes: [Route] {
        [
            Route(.get, "/auth/me", access: .session.orWebSession, use: show),
            Route(.get, "/auth/sessions", access: .session.orWebSession, use: list),
            Route(.delete, "/auth/sessions/{id}", access: .session.orWebSession, use: end),
        ].alsoUnderAPI
    }

    /// `GET /auth/me`: all members that published apps read; dates are omitted.
    private func show(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        guard let record = try await accounts.active(who.account) else { throw APIError.unauthorized(.badToken) }
        return JSONReply.encode(SignedInUserResponse(user: SignedInUser(record.profile)))
    }

    /// `GET /auth/sessions`: the newest first, including ended ones with the reason of their end.
    private func list(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let listed = try await sessions.list(of: who.account, limit: Self.mostSessions)
        let now = environment.now()
        return JSONReply.encode(
            OwnedSessionsResponse(sessions: listed.map { OwnedSessionView($0, at: now, seenFrom: who.session) })
        )
    }
}

extension OwnSessionsAPI {
    /// `DELETE /auth/sessions/{id}`: ends a session with all that was opened from it, which may be the request's own.
    ///
    /// One of another account counts as unknown. The answer is the same for a session that has ended.
    private func end(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let id: SessionID = try context.id(else: .sessionNotFound)
        guard try await own.end(id, of: who.account, by: who.session) else { throw APIError.sessionNotFound }
        return JSONReply.encode(ChangedResponse(message: "Session ended"))
    }
}

extension OwnedSessionView {
    init(_ listed: ListedSession, at now: Instant, seenFrom current: SessionID) {
        let session = listed.session
        self.init(
            id: session.id.description,
            client: session.client,
            startedAt: session.createdAt.internetDate,
            refreshedAt: listed.refreshedAt.internetDate,
            expiresAt: listed.expiresAt.internetDate,
            open: session.revocation == nil && now < listed.expiresAt,
            current: session.id == current
        )
        origin = session.authentication.origin.flatMap { OriginView(address: $0.address, agent: $0.agent) }
        endedAt = session.revocation?.at.internetDate
        reason = session.revocation?.reason?.rawValue
    }
}

extension SignedInUser {
    init(_ person: AccountProfile) {
        let attributes = person.account.attributes
        self.init(
            id: person.account.id.description,
            displayName: person.account.displayName,
            email: person.email?.text ?? "",
            emailVerified: person.isEmailVerified,
            role: attributes.role,
            accessLevel: attributes.accessLevel,
            department: attributes.department,
            walletId: attributes.walletID,
            username: person.username?.text
        )
    }
}
