import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import TokenReading

/// The userinfo endpoint (OpenID Connect Core §5.3).
struct UserInfoAPI: Sendable {
    let accounts: AccountService

    /// The routes, which read the token only from the header: forms and queries end up in logs (RFC 9700 §4.3.2).
    var routes: [Route] {
        let access = SessionAccess.scoped(ScopeSet.openID)
        return [
            Route(.get, "/oauth/userinfo", access: access, use: show),
            Route(.post, "/oauth/userinfo", access: access, use: show),
        ]
    }

    private func show(_ request: Request, _ context: APIContext, for claims: AccessClaims) async throws -> Response {
        guard let record = try await accounts.active(claims.account) else { throw APIError.unauthorized(.badToken) }
        return OAuthReply.tokens(UserInfo(record.profile, claims.scopes))
    }
}

/// The claims of OpenID Connect Core §5.1 that this server knows and the scopes allow (§5.4).
private struct UserInfo: Encodable {
    let sub: String
    var name: String?
    var preferredUsername: String?
    var email: String?
    var emailVerified: Bool?

    enum CodingKeys: String, CodingKey {
        case sub, name, email
        case preferredUsername = "preferred_username"
        case emailVerified = "email_verified"
    }

    /// `scopes` is `nil` for a token with all rights of the account.
    init(_ person: AccountProfile, _ scopes: Set<String>?) {
        sub = person.account.id.description
        if scopes?.contains(ScopeSet.profile) ?? true {
            name = person.account.displayName
            preferredUsername = person.username?.shown
        }
        if scopes?.contains(ScopeSet.email) ?? true, let address = person.email {
            email = address.text
            emailVerified = person.isEmailVerified
        }
    }
}
