import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import OAuth

/// `GET /api/data`: a protected resource like that of the published mobile API.
///
/// The token's issuer decides which server answers. This server verifies its own tokens, and answers with sample data.
/// Every other token goes to the client's upstream, which verifies it and has the data.
struct DataAPI: Sendable {
    /// The longest token that is parsed, in bytes; tokens of this server are far shorter.
    private static let longestToken = 8192

    let signIn: SignInAddress
    let issuer: String
    /// Answers requests with tokens of the client's upstream, if the client has one.
    let broker: (service: BrokerService, upstream: Upstream)?

    var routes: [Route] {
        [Route(.get, "/api/data", access: .guest(limitedTo: ScopeSet.profile), use: show)]
    }

    private func show(_ request: Request, _ context: APIContext, for guest: Guest) async throws -> Response {
        guard let shown = PresentedToken(request) else { return signInNeeded(context, hasToken: false) }
        if let broker, shown.scheme == .bearer, !isOurs(shown.text) {
            return await brokered(Secret(shown.text), by: broker.service, at: broker.upstream, context)
        }
        let who: SignedIn
        do { who = try await guest.verified() } catch let error as APIError where error.isUnauthorized {
            return signInNeeded(context, hasToken: true)
        }
        guard who.hasProvenEmail else { throw APIError.emailNotVerified }
        return JSONReply.encode(SampleData(person: who.account.description, email: who.email))
    }

    private func brokered(
        _ token: Secret,
        by service: BrokerService,
        at upstream: Upstream,
        _ context: APIContext
    ) async -> Response {
        do throws(BrokeredDataError) {
            return JSONReply.bytes(ByteBuffer(bytes: try await service.data(accessToken: token, at: upstream)))
        } catch {
            switch error {
            case .signInNeeded: return signInNeeded(context, hasToken: true)
            case .notAllowed: return APIError.dataNotAllowed.response(requestID: context.requestID)
            case .unavailable: return APIError.upstreamUnavailable.response(requestID: context.requestID)
            case .unusable: return APIError.upstreamUnusable.response(requestID: context.requestID)
            }
        }
    }

    /// Returns whether the token names this server as its issuer.
    ///
    /// The claim is not trusted: such a token is verified here afterwards.
    private func isOurs(_ token: String) -> Bool {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= Self.longestToken, let payload = Base64URL.decode(parts[1]),
            case .object(let claims)? = try? JSONReader.read(payload), case .string(let issuer)? = claims["iss"]
        else { return false }
        return issuer == self.issuer
    }

    /// Returns the sign-in address in a member of the body, never in `Location`.
    ///
    /// The app's browser has to open it, not the app's HTTP client.
    private func signInNeeded(_ context: APIContext, hasToken: Bool) -> Response {
        let sentence = hasToken ? "The access token is no longer valid. Sign in again." : "Sign in first."
        let body = SignInNeeded(message: sentence, requestId: context.requestID, redirectUrl: signIn.url())
        var response = JSONReply.encode(body, status: .unauthorized)
        // RFC 6750 §3.1: a request without a token gets no error code.
        response.headers[.wwwAuthenticate] = hasToken ? #"Bearer error="invalid_token""# : "Bearer"
        return response
    }
}

extension APIError {
    /// The account may not see the upstream's data.
    ///
    /// What to do: Tell the person. The operator gives access at the upstream.
    static let dataNotAllowed = APIError(
        "data_not_allowed",
        "This account may not see the data. Ask the operator for access.",
        status: .forbidden
    )

    /// The upstream does not answer.
    ///
    /// What to do: Wait for the seconds of `Retry-After`.
    static let upstreamUnavailable = APIError(
        "upstream_unavailable",
        "The data can’t be fetched just now. Try again in a few seconds.",
        status: .serviceUnavailable,
        retryAfter: 5
    )

    /// The upstream's answer is unusable.
    ///
    /// What to do: Report it to the operator.
    static let upstreamUnusable = APIError(
        "upstream_unusable",
        "The service with the data gave an unusable answer. Tell the operator.",
        status: .badGateway
    )
}

/// The common error body with the sign-in address.
private struct SignInNeeded: Encodable {
    let error: String
    let code = "unauthorized"
    let message: String
    let requestId: String
    let redirectUrl: String

    init(message: String, requestId: String, redirectUrl: String) {
        error = message
        self.message = message
        self.requestId = requestId
        self.redirectUrl = redirectUrl
    }

    enum CodingKeys: String, CodingKey { case error, code, message, requestId, redirectUrl }
}

/// The sample data of a person.
private struct SampleData: Encodable {
    let source = "vestibule"
    let person: String
    let email: String

    enum CodingKeys: String, CodingKey { case source, person, email }
}
