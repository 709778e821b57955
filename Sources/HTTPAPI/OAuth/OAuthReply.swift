import HTTPTypes
import Hummingbird
import NIOCore
import OAuth

/// Answers of the OAuth endpoints: the one place where an ``OAuthError`` becomes a status and a body.
enum OAuthReply {
    /// The members of an error (RFC 6749 §5.2).
    private struct ErrorBody: Encodable {
        let error: String
        let errorDescription: String

        enum CodingKeys: String, CodingKey {
            case error
            case errorDescription = "error_description"
        }
    }

    /// A refusal to a client that asked directly: at the token, revocation, introspection, registration and backchannel
    /// endpoints.
    ///
    /// `usedBasic`: whether the client showed itself in the header Authorization, which a 401 then has to answer with
    /// (RFC 6749 §5.2).
    static func error(_ error: OAuthError, usedBasic: Bool = false) -> Response {
        var response = JSONReply.encode(
            ErrorBody(error: error.code.rawValue, errorDescription: error.description),
            status: status(of: error)
        )
        response.headers[.cacheControl] = "no-store"
        response.headers[our: .pragma] = "no-cache"
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        if error.code == .invalidClient, usedBasic {
            response.headers[.wwwAuthenticate] = "Basic realm=\"vestibule\", charset=\"UTF-8\""
        }
        return response
    }

    /// Tokens, or what is as secret: kept by no cache on the way, old ones included (RFC 6749 §5.1).
    static func tokens(_ members: some Encodable) -> Response {
        var response = JSONReply.encode(members)
        response.headers[.cacheControl] = "no-store"
        response.headers[our: .pragma] = "no-cache"
        return response
    }

    private static func status(of error: OAuthError) -> HTTPResponse.Status {
        switch error.code {
        case .invalidClient, .invalidToken: .unauthorized
        case .insufficientScope: .forbidden
        case .serverError: error.isUpstreams ? .badGateway : .internalServerError
        case .temporarilyUnavailable: .serviceUnavailable
        // RFC 6749 §5.2: "unless specified otherwise".
        default: .badRequest
        }
    }
}
