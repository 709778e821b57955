import HTTPTypes
import Hummingbird
import Kernel
import Sessions
import SignIn
import Tokens
import Wire

/// The routes that refresh a session, for published apps and for apps that rotate refresh tokens.
struct RefreshAPI: Sendable {
    let refreshTokens: FirstPartyRefreshTokens
    /// `nil` without limits, as in benchmarks.
    let limits: RefreshLimits?
    let cookies: RefreshCookies
    let server: ServerConfiguration
    let environment: Environment

    /// The routes of the published face login app, and of apps that rotate refresh tokens.
    var routes: [Route] {
        let demand = TokenDemand(audience: .everyClient)
        let route = Route(
            .post,
            "/auth/refresh",
            access: .refresh(demand, shownAs: .refreshToken, .refreshCookie, accepting: .deviceCredential, .dpop)
        ) { request, context in
            try await refresh(request, context, taking: demand)
        }
        return [route].alsoUnderAPI
    }

    /// The routes of the published wallet app.
    var mobileRoutes: [Route] {
        let demand = TokenDemand(audience: .wallet)
        return [
            Route(
                .post,
                "/api/mobile/auth/token/refresh",
                access: .refresh(demand, shownAs: .refreshTokenInBody, accepting: .deviceCredential, .dpop)
            ) { request, context in
                try await refreshMobile(request, context, taking: demand)
            }
        ]
    }

    /// `POST /auth/refresh`: reads the token from the refresh cookie, or else the bearer token; the body may be empty.
    private func refresh(_ request: Request, _ context: APIContext, taking demand: TokenDemand) async throws -> Response
    {
        let proof = try await server.body.decodeIfPresent(RefreshRequest.self, from: request)
        let held = try await refreshTokens.reader.read(request, cookies)
        let grant: RefreshGrant
        switch try await grants(for: held, proof: proof, taking: demand, request, context) {
        case .granted(let granted): grant = granted
        case .refused(let refusal):
            var response = Self.problem(refusal).response(requestID: context.requestID)
            // Once the cookie is removed, the app's next request presents the app's own token.
            if held.carrier == .cookie, refusal.isFinal {
                cookies.remove(for: request, on: &response)
            }
            return response
        }
        let fresh = try sign(grant, held)
        guard held.carrier == .cookie else { return Self.answer(fresh, fresh.refresh?.expose()) }
        var response = Self.answer(fresh, nil)
        if let next = fresh.refresh {
            cookies.set(next, until: fresh.refreshExpiresAt, for: request, on: &response)
        }
        return response
    }

    /// `POST /api/mobile/auth/token/refresh`: reads the token from the body, and returns both new tokens.
    private func refreshMobile(
        _ request: Request,
        _ context: APIContext,
        taking demand: TokenDemand
    ) async throws -> Response {
        let proof = try await server.body.decode(RefreshRequest.self, from: request)
        guard let text = proof.refreshToken, !text.isEmpty else {
            throw APIError.invalidRequest("“refreshToken” is missing.")
        }
        let held = try await refreshTokens.reader.read(text, carrier: .bearer)
        switch try await grants(for: held, proof: proof, taking: demand, request, context) {
        case .granted(let grant):
            let fresh = try sign(grant, held)
            return Self.answer(fresh, fresh.refresh?.expose() ?? text)
        case .refused(let refusal): throw Self.problem(refusal)
        }
    }

    private func sign(_ grant: RefreshGrant, _ held: PresentedRefreshToken) throws -> IssuedTokens {
        guard let fresh = try refreshTokens.tokens.refreshed(grant, held) else {
            throw APIError.unauthorized(.badRefreshToken)
        }
        return fresh
    }

    private static func answer(_ fresh: IssuedTokens, _ refreshToken: String?) -> Response {
        RefreshReply.encode(
            access: fresh.access.expose(),
            refreshToken: refreshToken,
            expiresIn: fresh.expiresIn,
            type: fresh.type
        )
    }

    private func grants(
        for held: PresentedRefreshToken,
        proof: RefreshRequest?,
        taking demand: TokenDemand,
        _ request: Request,
        _ context: APIContext
    ) async throws -> RefreshOutcome {
        var evidence = try RefreshEvidence(proof, request, token: held.text, at: environment.now())
        let address = server.addresses.client(of: request, context)?.counted.bytes ?? []
        let hasEvidence = !evidence.isEmpty || DPoPGate.hasProof(request)
        let attempt = RefreshAttempt(held, hasEvidence: hasEvidence, from: address)
        try await limits?.admit(attempt)
        let outcome: RefreshOutcome
        do {
            let proof = try refreshTokens.gate.refresh(request)
            evidence.proofKey = proof?.thumbprint
            let command = refreshTokens.command(for: held, taking: demand, evidence: evidence)
            outcome = try await refreshTokens.service.refresh(command) { try proof?.use(in: $0) }
        } catch let problem as APIError {
            await limits?.noteTry(attempt)
            throw problem
        }
        switch outcome {
        case .granted(let grant) where grant.isRotation: await limits?.noteRotation(attempt)
        case .granted, .refused(.proofRequired), .refused(.boundKeyRequired): await limits?.noteTry(attempt)
        case .refused: try await limits?.noteDead(attempt)
        }
        return outcome
    }

    private static func problem(_ refusal: RefreshError) -> APIError {
        switch refusal {
        case .proofRequired: .unauthorized(.deviceProof)
        case .boundKeyRequired: .unauthorized(.boundKeyProof)
        case .sessionOver, .expired, .superseded, .reused, .unknown: .unauthorized(.badRefreshToken)
        }
    }
}

extension RefreshError {
    /// Whether the token will never be accepted again.
    fileprivate var isFinal: Bool {
        switch self {
        case .sessionOver, .expired, .reused, .unknown: true
        // The new refresh token may still be on its way to the same browser, or the next request may present the proof.
        case .superseded, .proofRequired, .boundKeyRequired: false
        }
    }
}
