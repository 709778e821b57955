import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn

/// `POST /oauth/par`: a client pushes an authorization request, and gets a reference for the browser (RFC 9126).
struct PushedRequestAPI: Sendable {
    let clients: ClientReader
    let pushed: PushedRequests
    let gate: DPoPGate
    let limits: AddressGate

    var routes: [Route] {
        [Route(.post, "/oauth/par", access: .everybody(accepting: .clientAuthentication, .dpop), use: push)]
    }

    private struct Answer: Encodable {
        let requestURI: String
        let expiresIn: Int64

        enum CodingKeys: String, CodingKey {
            case requestURI = "request_uri"
            case expiresIn = "expires_in"
        }
    }

    private func push(_ request: Request, _ context: APIContext) async throws -> Response {
        try await OAuthReply.guarding(request) {
            // RFC 9126 §2.1: a request contains secrets, which do not belong in an address.
            guard (request.uri.query ?? "").isEmpty else {
                throw OAuthError(.invalidRequest, "Send the parameters in the body, not in the query.")
            }
            let form = try await OAuthForm(body: request)
            let authenticated = try await clients.read(request, context, form: form)
            // Anybody who knows the id of a public client can push requests under it.
            if !authenticated.client.isConfidential {
                try await limits.admit(.initiatePerAddress, for: request, in: context)
            }
            let proof = try gate.signIn(request)
            let uri = try await pushed.push(
                AuthorizationParameters(form),
                by: authenticated,
                proofKey: proof?.thumbprint,
                using: proof?.presented.use
            )
            // RFC 9126 §2.2.
            let answer = Answer(requestURI: uri, expiresIn: pushed.lifetime.secondsRoundedUp)
            return JSONReply.encode(answer, status: .created)
        }
    }
}

extension TooManyPushedRequestsError: APIErrorConvertible {
    /// RFC 9126 §2.3.
    var apiError: APIError { .rateLimited(for: retryAfter, by: .pushedRequestsPerClient) }
}
