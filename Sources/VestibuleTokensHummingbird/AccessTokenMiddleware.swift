// VestibuleTokensHummingbird: the Hummingbird middleware for VestibuleTokens.
// Owns the reading of a request's token, and the answers to requests without a valid one.
// Checks no token itself.
// Survives requests without a token, with two tokens, or with another authentication scheme.
// It is a separate product, so that VestibuleTokens does not depend on Hummingbird.

public import Hummingbird
internal import Logging
public import VestibuleTokens

/// A request context that holds the verified access token.
public protocol AccessTokenRequestContext: RequestContext {
    /// The request's verified access token; `nil` before ``AccessTokenMiddleware`` has run.
    var accessToken: AccessToken? { get set }
}

extension AccessTokenRequestContext {
    /// Returns the request's verified access token.
    ///
    /// - Throws: 401 if no ``AccessTokenMiddleware`` ran before the route.
    public func requireAccessToken() throws -> AccessToken {
        guard let accessToken else { throw HTTPError(.unauthorized) }
        return accessToken
    }
}

/// Lets requests with a valid access token pass.
///
/// Others are answered with 401, or with 503 while the issuer's keys are unavailable.
///
/// The token is read only from a single `Authorization: Bearer` field (RFC 6750 §2.1). A query would be logged, and
/// another site could make the browser send a cookie.
public struct AccessTokenMiddleware<Context: AccessTokenRequestContext>: RouterMiddleware {
    private let verifier: AccessTokenVerifier

    /// Creates a middleware that verifies tokens with `verifier`.
    public init(_ verifier: AccessTokenVerifier) { self.verifier = verifier }

    /// Stores the verified token in the context, or answers the request.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let fields = request.headers[values: .authorization]
        guard fields.count == 1, let field = fields.first, field.prefix(7).lowercased() == "bearer " else {
            return AccessTokenErrorResponse.missing.response
        }
        var context = context
        do {
            context.accessToken = try await verifier.verify(String(field.dropFirst(7)))
        } catch {
            context.logger.debug("an access token was not accepted", metadata: ["reason": "\(error.code.rawValue)"])
            return (error.isRefused ? AccessTokenErrorResponse.invalid : .unavailable).response
        }
        return try await next(request, context)
    }
}
