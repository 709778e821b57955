import Hummingbird
package import Kernel
package import Sessions
import TokenReading
package import Tokens
import Wire

/// Signing out: one session, or all of the account.
package struct SignOutAPI: Sendable {
    private let sessions: SessionDesk
    private let unitOfWork: any UnitOfWork
    private let verifier: TokenVerifier
    private let audiences: Set<String>
    private let refreshTokens: RefreshTokenReader
    private let cookies: RefreshCookies
    private let facts: Facts

    package init(
        sessions: SessionDesk,
        unitOfWork: any UnitOfWork,
        verifier: TokenVerifier,
        audiences: Set<String>,
        refreshTokens: RefreshTokenReader,
        cookies: RefreshCookies,
        facts: Facts
    ) {
        self.sessions = sessions
        self.unitOfWork = unitOfWork
        self.verifier = verifier
        self.audiences = audiences
        self.refreshTokens = refreshTokens
        self.cookies = cookies
        self.facts = facts
    }

    /// For the published face login app.
    package var routes: [Route] {
        let route = Route(.post, "/auth/logout", signOut)
        return [route, route.under("/api")]
    }

    /// For the published wallet app.
    package var mobileRoutes: [Route] { [Route(.post, "/api/mobile/auth/logout", signOutMobile)] }

    /// `POST /auth/logout`: 200 whatever came, since nobody is signed in with it afterwards.
    @Sendable private func signOut(_ request: Request, _ context: APIContext) async throws -> Response {
        let named = bearer(request)
        let cookie = refreshTokens.fromCookie(request).map { Holder($0.claims) }
        if let named, let cookie, named.account != cookie.account {
            throw Problem.invalidRequest("The refresh cookie and the bearer token are of different accounts.")
        }
        for holder in [named, cookie].compactMap(\.self) {
            try await end(holder, everywhere: Self.isEverywhere(request))
        }
        var response = JSONReply.encode(SignOutResponse(message: "Signed out"))
        response.set(cookies.none(for: request))
        return response
    }

    /// `POST /api/mobile/auth/logout`: 401 without a token that is good.
    @Sendable private func signOutMobile(_ request: Request, _ context: APIContext) async throws -> Response {
        guard BearerToken.of(request) != nil else { throw Problem.unauthorized(.noToken) }
        guard let holder = bearer(request), try await end(holder, everywhere: Self.isEverywhere(request)) else {
            throw Problem.unauthorized(.badToken)
        }
        return JSONReply.encode(SignOutResponse(message: "Signed out"))
    }

    /// Whose session a token names.
    private struct Holder {
        let account: AccountID
        let session: SessionID

        init(_ claims: AccessClaims) {
            account = claims.account
            session = claims.session
        }

        init(_ claims: RefreshClaims) {
            account = claims.account
            session = claims.session
        }
    }

    /// By an access token or, for apps that have no other left, a refresh token.
    private func bearer(_ request: Request) -> Holder? {
        guard let text = BearerToken.of(request) else { return nil }
        if let claims = try? verifier.verifyAccess(text, audiences: audiences, now: facts.now()) {
            return Holder(claims)
        }
        return (try? verifier.verifyRefresh(text, now: facts.now())).map { Holder($0) }
    }

    private static func isEverywhere(_ request: Request) -> Bool {
        request.uri.queryParameters["revokeAll"] == "true"
    }

    /// `false` if the session was over before: its token speaks for nobody, least of all for the other sessions.
    @discardableResult
    private func end(_ holder: Holder, everywhere: Bool) async throws -> Bool {
        try await unitOfWork.run { [sessions] transaction in
            guard everywhere else {
                return try sessions.revoke(
                    holder.session,
                    of: holder.account,
                    because: .signedOut,
                    in: transaction
                ) != nil
            }
            guard try sessions.isOpen(holder.session, of: holder.account, in: transaction) else { return false }
            return try sessions.revokeAll(of: holder.account, because: .signedOutEverywhere, in: transaction) > 0
        }
    }
}
