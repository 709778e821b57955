/// A client of the authorization server: from the config, added by the operator, or registered by itself.
package struct OAuthClient: Sendable, Equatable {
    /// `client_id`.
    package var id: String
    package var appearance: Appearance
    package var origin: Origin
    /// Whether the client may be used.
    ///
    /// A disabled client gets nothing, and its tokens end at the next refresh.
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
        appearance = Appearance(name: name)
        self.origin = origin
        self.isEnabled = isEnabled
        self.authentication = authentication
        self.access = access
        self.authorization = authorization
        self.tokens = tokens
    }

    /// Whether the client can keep a secret (RFC 6749 §2.1).
    package var isConfidential: Bool { authentication != .none }

    /// The origin of a client, which decides how far it is trusted.
    package enum Origin: String, Sendable, CaseIterable {
        /// A client of the operator in the config. It needs no consent.
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
        /// `client_secret_basic` or `client_secret_post`. Each of the secrets is accepted, so that one can be rotated.
        case secret([SecretHash])
        /// `private_key_jwt` with one of these keys (RFC 7523 §2.2).
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
