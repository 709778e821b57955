import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import OAuth

/// `POST /oauth/register`: a client registers itself (RFC 7591) with a token from the operator.
///
/// Registration always requires that token: otherwise anybody could show people a consent page under any name.
struct ClientRegistrationAPI: Sendable {
    let service: ClientService
    let limits: ClientLimits?
    let addresses: ClientAddresses

    var routes: [Route] {
        [Route(.post, "/oauth/register", access: .holder(of: .initialAccessToken), use: register)]
    }

    /// The token is checked and used in one unit of work, so that refused metadata leave it unused.
    private func register(_ request: Request, _ context: APIContext) async throws -> Response {
        do {
            // Comes first: what is refused without a look must not cost a statement.
            guard let token = PresentedToken.bearer(request) else {
                throw OAuthError(.invalidToken, "Send a registration token in the header Authorization (Bearer).")
            }
            try await limits?.admitRegistration(from: addresses.client(of: request, context))
            let body = try await JSONBody(limit: ClientMetadata.maximumLength).bytes(from: request)
            let metadata = try ClientMetadata(registration: body)
            let issued = try await service.register(metadata, ticket: Secret(token))
            return Self.created(ClientInformation.json(issued, metadata, algorithm: service.identityAlgorithms().first))
        } catch let error as OAuthError {
            return Self.refusal(error)
        } catch let error as ClientError {
            return Self.refusal(error.answer)
        } catch {
            let problem = APIError(error, bodyLimit: ClientMetadata.maximumLength)
            throw PageError(cause: error, page: Self.refusal(problem))
        }
    }

    /// RFC 7591 §3.2.2 has only one status and one code for unreadable metadata.
    private static func refusal(_ problem: APIError) -> Response {
        var response = OAuthReply.answer(to: problem, as: .invalidClientMetadata)
        if [.unsupportedMediaType, .contentTooLarge].contains(problem.status) { response.status = .badRequest }
        return response
    }

    private static func created(_ json: String) -> Response {
        var response = JSONReply.bytes(ByteBuffer(string: json), status: .created)
        response.headers[.cacheControl] = "no-store"
        response.headers[our: .pragma] = "no-cache"
        return response
    }

    /// RFC 7591 §3.2.2, and for the token RFC 6750 §3.
    private static func refusal(_ error: OAuthError) -> Response {
        var response = OAuthReply.error(error)
        if error.code == .invalidToken { response.headers[.wwwAuthenticate] = #"Bearer error="invalid_token""# }
        return response
    }
}
