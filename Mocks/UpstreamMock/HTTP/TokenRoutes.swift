import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The token endpoint (RFC 6749 §3.2): nothing without the secret, in the form or in HTTP Basic.
struct TokenRoutes: Sendable {
    let backend: UpstreamMockBackend
    let gate: UpstreamGate

    func add(to router: Router<MockContext>) { router.post("/token", use: trade) }

    @Sendable private func trade(_ request: Request, _ context: MockContext) async throws -> Response {
        let body = try await request.body.collect(upTo: 65_536)
        let form = MockForm(String(buffer: body))
        let client = MockCredentials(form, authorization: request.headers[.authorization])
        let call: UpstreamCall = form["grant_type"] == "refresh_token" ? .refresh : .token
        return try await gate.serve(call, context) { fault in
            do throws(UpstreamMockState.Refusal) {
                guard fault != .expired else { throw .invalidGrant }
                return Self.reply(try tokens(form, client))
            } catch {
                return .json(
                    #"{"error":"\#(error.rawValue)"}"#,
                    error == .invalidClient ? .unauthorized : .badRequest
                )
            }
        }
    }

    private func tokens(
        _ form: MockForm,
        _ client: MockCredentials
    ) throws(UpstreamMockState.Refusal) -> UpstreamMockState.Tokens {
        let inputs = backend.inputs
        return try backend.with { state, now throws(UpstreamMockState.Refusal) in
            state.note(tokenParameters: form.names)
            try state.checkClient(client.id, client.secret)
            switch form["grant_type"] {
            case "authorization_code":
                guard let code = form["code"] else { throw .invalidRequest }
                return try state.redeem(
                    code,
                    redirectURI: form["redirect_uri"],
                    verifier: form["code_verifier"],
                    at: now,
                    inputs
                )
            case "refresh_token":
                guard let token = form["refresh_token"] else { throw .invalidRequest }
                return try state.refresh(token, at: now, inputs)
            default: throw .unsupportedGrantType
            }
        }
    }

    private static func reply(_ tokens: UpstreamMockState.Tokens) -> MockReply {
        .json(
            """
            {"access_token":"\(tokens.access)","token_type":"Bearer","expires_in":\(tokens.seconds),\
            "refresh_token":"\(tokens.refresh)","scope":"profile","id_token":"not.for.apps"}
            """
        )
    }
}
