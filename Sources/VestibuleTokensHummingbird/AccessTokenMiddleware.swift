// VestibuleTokensHummingbird: the middleware over VestibuleTokens.
// Owns how a request names its token, and what a refusal answers.
// Checks no token itself.
// Survives requests without a token, with two, or with one of another scheme.
// A product apart, so that VestibuleTokens needs no Hummingbird.

internal import HTTPTypes
public import Hummingbird
internal import Logging
internal import NIOCore
public import VestibuleTokens

/// A request context that a verified access token is put into.
public protocol AccessTokenRequestContext: RequestContext {
    /// What the request's access token says; `nil` before ``AccessTokenMiddleware``.
    var accessToken: AccessToken? { get set }
}

extension AccessTokenRequestContext {
    /// What the request's access token says.
    ///
    /// - Throws: 401 where no ``AccessTokenMiddleware`` stands before the route.
    public func requireAccessToken() throws -> AccessToken {
        guard let accessToken else { throw HTTPError(.unauthorized) }
        return accessToken
    }
}

/// Lets requests with a good access token pass, and answers all others: 401, or 503 while the issuer's keys can't be had.
///
/// The token comes in one `Authorization: Bearer` field (RFC 6750 §2.1) and from nowhere else: not in the query, which is
/// logged, and not in a cookie, which other sites can have sent.
public struct AccessTokenMiddleware<Context: AccessTokenRequestContext>: RouterMiddleware {
    private let verifier: AccessTokenVerifier

    /// A middleware that asks that verifier.
    public init(_ verifier: AccessTokenVerifier) { self.verifier = verifier }

    /// Puts the token's claims into the context, or answers.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let fields = request.headers[values: .authorization]
        guard fields.count == 1, let field = fields.first, field.prefix(7).lowercased() == "bearer " else {
            return Refusal.none.response
        }
        var context = context
        do {
            context.accessToken = try await verifier.verify(String(field.dropFirst(7)))
        } catch {
            context.logger.debug("an access token was not accepted", metadata: ["reason": "\(error.code.rawValue)"])
            return (error.isRefused ? Refusal.refused : Refusal.unavailable).response
        }
        return try await next(request, context)
    }
}

/// What a request without a good token is answered.
private enum Refusal {
    case none, refused, unavailable

    var response: Response {
        switch self {
        case .none:
            Self.response(
                .unauthorized,
                [.wwwAuthenticate: "Bearer"],
                #"{"error":"An access token is needed.","code":"unauthorized"}"#
            )
        // RFC 6750 §3.1; which of its faults it has is nobody's business but the log's.
        case .refused:
            Self.response(
                .unauthorized,
                [.wwwAuthenticate: #"Bearer error="invalid_token""#],
                #"{"error":"The access token is not accepted.","code":"invalid_token"}"#
            )
        case .unavailable:
            Self.response(
                .serviceUnavailable,
                [.retryAfter: "60"],
                #"{"error":"Access tokens can't be checked right now.","code":"keys_unavailable"}"#
            )
        }
    }

    private static func response(_ status: HTTPResponse.Status, _ headers: HTTPFields, _ body: String) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
}
