import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// authID's IdentityService: tokens.
struct IdentityRoutes: Sendable {
    let backend: MockBackend
    let gate: ProviderGate

    func add(to router: Router<MockContext>) {
        router.post(RouterPath(ProviderCall.token.path), use: gate.serve(.token, token))
        router.post(RouterPath(ProviderCall.refresh.path), use: gate.serve(.refresh, refresh))
    }

    private func token(_ request: Request, _: MockContext, _: FaultEffect?) async throws -> JSONReply {
        guard let basic = request.headers[.authorization].flatMap(AuthorizationHeader.basic) else {
            throw ProviderError.notAuthenticated
        }
        let random = backend.inputs.randomBytes
        let pair = try backend.with { state, now throws(ProviderError) in
            try state.signIn(keyID: basic.user, keyValue: basic.password, now: now, random: random)
        }
        return try JSONReply(TokenBody(pair))
    }

    /// The body is the refresh token as a bare JSON string; there is no Authorization header.
    private func refresh(_ request: Request, _ context: MockContext, _: FaultEffect?) async throws -> JSONReply {
        let token = try await request.json(String.self, in: context)
        let random = backend.inputs.randomBytes
        let pair = try backend.with { state, now throws(ProviderError) in
            try state.tokens.renew(token, at: now, random: random)
        }
        return try JSONReply(TokenBody(pair))
    }
}
