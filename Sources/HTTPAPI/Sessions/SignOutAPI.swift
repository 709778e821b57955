import Hummingbird
import Kernel
import Sessions
import SignIn
import TokenReading
import Tokens

/// The routes that sign out one session, or all sessions of the account.
struct SignOutAPI: Sendable {
    let signOut: SignOut
    let browsers: WebSessionService
    let refreshTokens: FirstPartyRefreshTokens
    let cookies: RefreshCookies
    let server: ServerConfiguration
    let environment: Environment

    private var webCookies: CompanionCookies { server.webSessionCookie }

    /// The routes of the published face login app, and of pages.
    var routes: [Route] {
        let demand = TokenDemand(audience: .everyClient)
        let access = GuestAccess.guest(accepting: .refreshToken, .refreshCookie, .webSession).taking(
            refreshTokens: demand
        )
        let route = Route(.post, "/auth/logout", access: access) { request, context, guest in
            try await end(request, context, by: guest, taking: demand)
        }
        return [route].alsoUnderAPI
    }

    /// The routes of the published wallet app.
    var mobileRoutes: [Route] {
        let demand = TokenDemand(audience: .wallet)
        let access = GuestAccess.token(or: .refreshToken).taking(refreshTokens: demand)
        return [
            Route(.post, "/api/mobile/auth/logout", access: access) { request, context, guest in
                try await endMobile(request, context, by: guest, taking: demand)
            }
        ]
    }

    /// `POST /auth/logout`: answers 200 for any token, because afterwards nobody is signed in with that token.
    private func end(
        _ request: Request,
        _ context: APIContext,
        by guest: Guest,
        taking demand: TokenDemand
    ) async throws -> Response {
        let named = try await bearer(request, guest)
        let cookie = refreshTokens.reader.fromCookie(request, cookies).map { Holder.refresh($0) }
        if let named, let cookie, named.account != cookie.account {
            throw APIError.invalidRequest(
                "The refresh cookie and the bearer token are of different accounts. Send only one."
            )
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

    /// `POST /api/mobile/auth/logout`: 401 without a valid token.
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

    /// A token that a request presents.
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

    /// Returns the access token, or the refresh token that an app sends when it has no other left.
    private func bearer(_ request: Request, _ guest: Guest) async throws -> Holder? {
        if let claims = try await guest.claims() { return .access(claims) }
        return refreshTokens.reader.fromBearer(request).map { .refresh($0) }
    }

    private static func isEverywhere(_ request: Request) -> Bool {
        request.uri.queryParameters["revokeAll"] == "true"
    }

    /// The proofs that come with the tokens of a request.
    private struct Evidence {
        var body: RefreshRequest?
        /// The thumbprint of the key that signed the request's DPoP proof.
        var key: Digest256?
        /// The DPoP proof; `nil` if it was used before.
        var proof: PresentedProof?
    }

    /// Reads the proofs that come with those tokens; invalid ones are ignored, so that they keep nobody signed in.
    ///
    /// The DPoP proof of a request without a token is not read.
    private func evidence(_ request: Request, beside holders: [Holder]) async -> Evidence {
        guard !holders.isEmpty else { return Evidence() }
        var evidence = Evidence(body: try? await server.body.decodeIfPresent(RefreshRequest.self, from: request))
        for case .access(let claims) in holders {
            // The proof was used when the token was read, and its key is the one to which the token is bound.
            evidence.key = claims.confirmation?.digest
            return evidence
        }
        evidence.proof = try? refreshTokens.gate.refresh(request)
        evidence.key = evidence.proof?.thumbprint
        return evidence
    }

    /// Returns `false` if no session was ended: it had ended before, or the proofs beside its token do not suffice.
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
                (try? RefreshEvidence(presented.body, request, token: held.text, at: environment.now()))
                ?? RefreshEvidence()
            evidence.proofKey = presented.key
            do {
                return try await refreshTokens.service.signOut(
                    refreshTokens.command(for: held, taking: demand, evidence: evidence),
                    everywhere: Self.isEverywhere(request)
                ) { [proof = presented.proof] in try proof?.use(in: $0) }
            } catch is APIError {
                // Another request has used the proof.
                return false
            }
        }
    }
}
