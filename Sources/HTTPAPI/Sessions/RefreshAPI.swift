import HTTPTypes
import Hummingbird
import Kernel
package import Sessions
import Tokens
import Wire

/// Refreshing a session, for the apps in the field and for those that rotate.
package struct RefreshAPI: Sendable {
    private let desk: RefreshDesk
    private let reader: RefreshTokenReader
    private let tokens: SessionTokens
    private let limits: RefreshLimits?
    private let body: JSONBody
    private let cookies: RefreshCookies

    /// `limits`: `nil` for none: benches.
    package init(
        desk: RefreshDesk,
        reader: RefreshTokenReader,
        tokens: SessionTokens,
        limits: RefreshLimits?,
        bodyLimit: Int,
        cookies: RefreshCookies
    ) {
        self.desk = desk
        self.reader = reader
        self.tokens = tokens
        self.limits = limits
        body = JSONBody(limit: bodyLimit)
        self.cookies = cookies
    }

    /// For the published face login app, and for whoever rotates.
    package var routes: [Route] {
        let route = Route(.post, "/auth/refresh", refresh)
        return [route, route.under("/api")]
    }

    /// For the published wallet app.
    package var mobileRoutes: [Route] { [Route(.post, "/api/mobile/auth/token/refresh", refreshMobile)] }

    /// `POST /auth/refresh`: the token in the refresh cookie, else as bearer; the body may be empty.
    @Sendable private func refresh(_ request: Request, _ context: APIContext) async throws -> Response {
        let proof = try await body.decodeIfPresent(RefreshRequest.self, from: request)
        let held = try reader.read(request)
        let grant: RefreshGrant
        do { grant = try await grants(held, proof, request) } catch let problem as Problem {
            guard held.carrier == .cookie, case .unauthorized = problem else { throw problem }
            // Without it the app's own token speaks the next time.
            var response = problem.response(requestID: context.requestID)
            response.set(cookies.none(for: request))
            return response
        }
        let fresh = try tokens.sign(grant, held)
        guard held.carrier == .cookie else { return Self.answer(fresh, fresh.refresh?.expose()) }
        var response = Self.answer(fresh, nil)
        if let next = fresh.refresh {
            response.set(cookies.cookie(next, until: fresh.refreshExpiresAt, for: request))
        }
        return response
    }

    /// `POST /api/mobile/auth/token/refresh`: the token in the body, and both new ones in the answer.
    @Sendable private func refreshMobile(_ request: Request, _ context: APIContext) async throws -> Response {
        let order = try await body.decode(RefreshRequest.self, from: request)
        guard let text = order.refreshToken, !text.isEmpty else {
            throw Problem.invalidRequest("“refreshToken” is missing.")
        }
        let held = try reader.read(text, carrier: .bearer)
        let fresh = try tokens.sign(try await grants(held, order, request), held)
        return Self.answer(fresh, fresh.refresh?.expose() ?? text)
    }

    private static func answer(_ fresh: SessionTokens.Fresh, _ refreshToken: String?) -> Response {
        JSONReply.encode(
            RefreshResponse(
                message: "Token refreshed",
                accessToken: fresh.access.expose(),
                refreshToken: refreshToken,
                expiresIn: fresh.expiresIn
            )
        )
    }

    private func grants(
        _ held: HeldRefreshToken,
        _ proof: RefreshRequest?,
        _ request: Request
    ) async throws -> RefreshGrant {
        try limits?.admit(held)
        let order = tokens.order(held, try RefreshEvidence(proof, request, token: held.text))
        switch try await desk.refresh(order) {
        case .granted(let grant): return grant
        case .refused(.proofRequired): throw Problem.unauthorized(.deviceProof)
        case .refused:
            try limits?.noteDead(held)
            throw Problem.unauthorized(.badRefreshToken)
        }
    }
}
