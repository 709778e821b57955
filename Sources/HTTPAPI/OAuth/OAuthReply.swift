import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import OAuth
import SignIn
import Tokens

/// Answers of the OAuth endpoints: only here does an ``OAuthError`` become a status and a body.
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

    /// Returns an error of the token, revocation, introspection, registration or backchannel endpoint.
    ///
    /// `usedBasic`: Whether the client authenticated in the header Authorization: a 401 then names that scheme (RFC
    /// 6749 §5.2).
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

    /// Returns tokens, or members that are as secret, for no cache to keep, not even one of HTTP/1.0 (RFC 6749 §5.1).
    static func tokens(_ members: some Encodable) -> Response {
        unkept(JSONReply.encode(members))
    }

    /// Returns the tokens of a grant, without an encoder, for no cache to keep.
    static func tokens(_ members: TokenMembers) -> Response {
        var json = JSONWriter(capacity: 3072)
        json.object(members.write)
        return unkept(JSONReply.bytes(ByteBuffer(bytes: json.bytes)))
    }

    private static func unkept(_ response: Response) -> Response {
        var response = response
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

/// A successful answer of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
struct TokenMembers: Sendable, Encodable {
    let accessToken: String
    /// RFC 6749 §7.1, RFC 9449 §5.
    let tokenType: String
    let expiresIn: Int
    let refreshToken: String?
    /// The granted scope, present even if it equals the requested one; `nil` for a grant without scopes.
    let scope: String?
    let idToken: String?

    init(_ tokens: IssuedTokens) {
        accessToken = tokens.access.expose()
        tokenType = tokens.type
        expiresIn = tokens.expiresIn
        refreshToken = tokens.refresh?.expose()
        scope = tokens.scope
        idToken = tokens.identity?.expose()
    }

    /// Writes the same members as `Encodable`, in the order of their names.
    func write(_ json: inout JSONWriter) {
        json.member("access_token", string: accessToken)
        json.member("expires_in", integer: Int64(expiresIn))
        if let idToken { json.member("id_token", string: idToken) }
        if let refreshToken { json.member("refresh_token", string: refreshToken) }
        if let scope { json.member("scope", string: scope) }
        json.member("token_type", string: tokenType)
    }

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
        case idToken = "id_token"
    }
}
