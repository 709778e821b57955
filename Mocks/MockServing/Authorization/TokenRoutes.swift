import HTTPTypes
package import Hummingbird
import Kernel

/// The token endpoint (RFC 6749 §3.2).
package struct TokenRoutes<State: AuthorizationMock>: Sendable {
    private let backend: SharedState<State>
    private let gate: MockGate<State>

    package init(backend: SharedState<State>, gate: MockGate<State>) {
        self.backend = backend
        self.gate = gate
    }

    package func add(to router: Router<MockContext>) { router.post("/token", use: trade) }

    @Sendable private func trade(_ request: Request, _ context: MockContext) async throws -> Response {
        let form = try await request.form()
        let client = MockCredentials(form, authorization: request.headers[.authorization])
        return try await gate.serve(form["grant_type"] == "refresh_token" ? .refresh : .token, context) { fault in
            do throws(TokenError) {
                guard fault != .tokenRefusal else { throw .invalidGrant }
                let inputs = backend.inputs
                return try backend.with { state, now throws(TokenError) in
                    try state.grants.trade(form, from: client, at: now, inputs)
                }.json
            } catch {
                return .error(error.rawValue, error == .invalidClient ? .unauthorized : .badRequest)
            }
        }
    }
}

/// Why the token endpoint gives nothing (RFC 6749 §5.2).
enum TokenError: String, Error, Sendable {
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidRequest = "invalid_request"
    case unsupportedGrantType = "unsupported_grant_type"
}

/// The answer of the token endpoint (RFC 6749 §5.1).
struct TokenReply: Sendable {
    let access: String
    let refresh: String
    let seconds: Int64
    let furtherMembers: String

    var json: MockReply {
        .json(
            """
            {"access_token":"\(access)","token_type":"Bearer","expires_in":\(seconds),\
            "refresh_token":"\(refresh)",\(furtherMembers)}
            """
        )
    }
}
