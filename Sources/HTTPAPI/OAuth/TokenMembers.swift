import Kernel
import SignIn

/// A successful answer of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
struct TokenMembers: Sendable, Encodable {
    let accessToken: String
    /// RFC 6749 §7.1, RFC 9449 §5.
    let tokenType: String
    let expiresIn: Int
    let refreshToken: String?
    /// Also where it is what was asked for; `nil` for a grant of none.
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

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
        case idToken = "id_token"
    }
}
