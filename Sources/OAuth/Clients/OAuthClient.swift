/// A client of the authorization server in force: from the config, from the store, or registered by itself.
package struct OAuthClient: Sendable, Equatable {
    /// `client_id`.
    package var id: String
    /// The name that people are shown (`client_name`).
    package var name: String
    package var origin: Origin
    /// A disabled client gets nothing: its tokens stop at the next refresh.
    package var isEnabled: Bool
    package var authentication: Authentication
    package var access: Access
    package var authorization: AuthorizationRules
    package var tokens: TokenRules

    package init(
        id: String,
        name: String,
        origin: Origin,
        isEnabled: Bool = true,
        authentication: Authentication,
        access: Access,
        authorization: AuthorizationRules = AuthorizationRules(),
        tokens: TokenRules = TokenRules()
    ) {
        self.id = id
        self.name = name
        self.origin = origin
        self.isEnabled = isEnabled
        self.authentication = authentication
        self.access = access
        self.authorization = authorization
        self.tokens = tokens
    }

    /// Whether it can keep a secret (RFC 6749 §2.1).
    package var isConfidential: Bool { authentication != .none }

    /// The origin of a client, which decides how far it is trusted.
    package enum Origin: String, Sendable, CaseIterable {
        /// A client of the operator in the config, which needs no consent.
        case config
        /// A client added with `vestibule clients add`.
        case added
        /// A client that registered itself (RFC 7591).
        case registered

        package var isFirstParty: Bool { self == .config }
    }

    /// The authentication of a client at the token endpoint (OpenID Connect Core §9).
    package enum Authentication: Sendable, Equatable {
        /// A public client, which only names itself.
        case none
        /// `client_secret_basic` or `client_secret_post`; any of the secrets counts, so that one can be rotated.
        case secret([SecretHash])
        /// `private_key_jwt` by one of these keys (RFC 7523 §2.2).
        case privateKeyJWT(ClientKeySet)
    }

    /// A grant that a client may use at the token endpoint.
    package enum GrantType: String, Sendable, CaseIterable {
        case authorizationCode = "authorization_code"
        case refreshToken = "refresh_token"
        case ciba = "urn:openid:params:grant-type:ciba"
        case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    }
}
