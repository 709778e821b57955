import Hummingbird
import Kernel
package import Sessions
package import SignIn
import TokenReading
import Tokens

/// Signing out: one session, or all of the account.
package struct SignOutAPI: Sendable {
    private let signOut: SignOut
    private let browsers: WebSessionService
    private let gate: DPoPGate
    private let refreshTokens: RefreshTokenReader
    private let refreshes: RefreshService
    private let tokens: TokenSet
    private let accepted: AcceptedClients
    private let body: JSONBody
    private let cookies: RefreshCookies
    private let webCookies: CompanionCookies
    private let environment: Environment

    package init(
        signOut: SignOut,
        browsers: WebSessionService,
        gate: DPoPGate,
        refreshTokens: RefreshTokenReader,
        refreshes: RefreshService,
        tokens: TokenSet,
        accepted: AcceptedClients,
        bodyLimit: Int,
        cookies: RefreshCookies,
        webCookies: CompanionCookies,
        environment: Environment
    ) {
        self.signOut = signOut
        self.browsers = browsers
        self.gate = gate
        self.refreshTokens = refreshTokens
        self.refreshes = refreshes
        self.tokens = tokens
        self.accepted = accepted
        body = JSONBody(limit: bodyLimit)
        self.cookies = cookies
        self.webCookies = webCookies
        self.environment = environment
    }

    /// For the published face login app, and for pages.
    package var routes: [Route] {
        let demand = TokenDemand(audience: .everyClient)
        let access = GuestAccess.guest(heeding: .refreshToken, .refreshCookie, .webSession).taking(
            refreshTokens: demand
        )
        let route = Route(.post, "/auth/logout", access: access) { request, context, guest in
            try await end(request, context, by: guest, taking: demand)
        }
        return [route].alsoUnderAPI
    }

    /// For the published wallet app.
    package var mobileRoutes: [Route] {
        let demand = TokenDemand(audience: .wallet)
        let access = GuestAccess.token(or: .refreshToken).taking(refreshTokens: demand)
        return [
            Route(.post, "/api/mobile/auth/logout", access: access) { request, context, guest in
                try await endMobile(request, context, by: guest, taking: demand)
            }
        ]
    }

    /// `POST /auth/logout`: 200 whatever came, since nobody is signed in with it afterwards.
    private func end(
        _ request: Request,
        _ context: APIContext,
        by guest: Guest,
        taking demand: TokenDemand
    ) async throws -> Response {
        let named = try await bearer(request, guest)
        let cookie = refreshTokens.fromCookie(request, cookies).map { Holder.refresh($0) }
        if let named, let cookie, named.account != cookie.account {
            throw APIError.invalidRequest("The refresh cookie and the bearer token are of different accounts.")
        }
        let holders = [named, cookie].compactMap(\.self)
        let browser = webCookies.digest(in: request)
        let session: Session? = if let browser { try await browsers.session(of: browser) } else { nil }
        if let session, let named, named.account != session.account { throw SignedInReader.otherAccount }
        let evidence = await evidence(request, beside: holders)
        for holder in holders { try await end(holder, presenting: evidence, taking: demand, for: request) }
        if let browser {
            try await signOut.end(cookie: browser, of: session, everywhere: Self.isEverywhere(request))
        }
        var response = JSONReply.encode(SignOutResponse(message: "Signed out"))
        cookies.remove(for: request, on: &response)
        webCookies.remove(from: request, on: &response)
        return response
    }

    /// `POST /api/mobile/auth/logout`: 401 without a token that is good.
    private func endMobile(
        _ request: Request,
        _ context: APIContext,
        by guest: Guest,
        taking demand: TokenDemand
    ) async throws -> Response {
        guard PresentedToken(request) != nil else { throw APIError.unauthorized(.noToken) }
        guard let holder = try await bearer(request, guest),
            try await end(holder, presenting: await evidence(request, beside: [holder]), taking: demand, for: request)
        else {
            throw APIError.unauthorized(.badToken)
        }
        return JSONReply.encode(SignOutResponse(message: "Signed out"))
    }

    /// A token that a request brought.
    private enum Holder {
        case access(AccessClaims)
        case refresh(PresentedRefreshToken)

        var account: AccountID {
            switch self {
            case .access(let claims): claims.account
            case .refresh(let held): held.claims.account
            }
        }
    }

    /// By an access token or, for apps that have no other left, a refresh token.
    private func bearer(_ request: Request, _ guest: Guest) async throws -> Holder? {
        if let claims = try await guest.claims() { return .access(claims) }
        return refreshTokens.fromBearer(request).map { .refresh($0) }
    }

    private static func isEverywhere(_ request: Request) -> Bool {
        request.uri.queryParameters["revokeAll"] == "true"
    }

    /// What a request brings beside its tokens.
    private struct Evidence {
        var order: RefreshRequest?
        /// The thumbprint of the key whose proof came with it.
        var key: Digest256?
        /// That proof, where it is not used yet.
        var proof: PresentedProof?
    }

    /// What the request brings beside those tokens; anything else that an app sends is no fault, and keeps nobody signed in.
    ///
    /// Who brings no token has no proof looked at.
    private func evidence(_ request: Request, beside holders: [Holder]) async -> Evidence {
        guard !holders.isEmpty else { return Evidence() }
        var evidence = Evidence(order: try? await body.decodeIfPresent(RefreshRequest.self, from: request))
        for case .access(let claims) in holders {
            // The proof was used up, and is of the key that the token is bound to.
            evidence.key = claims.confirmation?.digest
            return evidence
        }
        evidence.proof = try? gate.refresh(request)
        evidence.key = evidence.proof?.thumbprint
        return evidence
    }

    /// `false` if nothing was ended: the session was over before, or its token speaks for nobody as it came.
    @discardableResult
    private func end(
        _ holder: Holder,
        presenting presented: Evidence,
        taking demand: TokenDemand,
        for request: Request
    ) async throws -> Bool {
        switch holder {
        case .access(let claims):
            let everywhere = Self.isEverywhere(request)
            return try await signOut.end(claims.session, of: claims.account, everywhere: everywhere)
        case .refresh(let held):
            var evidence =
                (try? RefreshEvidence(presented.order, request, token: held.text, at: environment.now()))
                ?? RefreshEvidence()
            evidence.proofKey = presented.key
            do {
                return try await refreshes.signOut(
                    tokens.refreshCommand(for: held, clients: accepted.ids(demand), evidence: evidence),
                    everywhere: Self.isEverywhere(request)
                ) { [proof = presented.proof] in try proof?.use() }
            } catch is APIError {
                // Another request has used the proof.
                return false
            }
        }
    }
}
