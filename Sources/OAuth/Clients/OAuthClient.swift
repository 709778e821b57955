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
    package var grants: Set<GrantType>
    /// The redirect URIs, compared exactly except for loopback ports (RFC 8252 §7.3, RFC 9700 §2.1).
    package var redirectURIs: [String]
    package var postLogoutRedirectURIs: [String]
    /// The scopes that it may ask for.
    package var scopes: ScopeSet
    /// The `aud` of tokens that name no resource.
    package var audience: String
    /// The accepted values of `resource` (RFC 8707): absolute URIs without fragment.
    package var resources: [String]
    package var codeChallenge: CodeChallengeRule
    /// Whether an authorization request has to be pushed first (RFC 9126 §6).
    package var requiresPushedRequests: Bool
    /// Whether its tokens have to be bound to a key (RFC 9449 §5.2).
    package var requiresDPoP: Bool
    package var refreshTokens: RefreshRule
    /// The proof that a person must have given before the client gets anything in their name.
    package var requires: RequiredProof
    package var backchannel: Backchannel?
    package var accessTokenLifetime: Duration
    package var refreshTokenLifetime: Duration
    /// The time from a sign-in to the last refresh.
    package var sessionLifetime: Duration
    /// The upstream of a brokered client, which answers in place of this server.
    package var upstream: String?
    /// `id_token_signed_response_alg` (OpenID Connect Registration §2); `nil`: what access tokens are signed with.
    package var identityAlgorithm: IdentityAlgorithm?
    /// The claims about the person in its id tokens.
    package var identityClaims: Set<IdentityClaim>

    package init(
        id: String,
        name: String,
        origin: Origin,
        isEnabled: Bool = true,
        authentication: Authentication,
        grants: Set<GrantType>,
        redirectURIs: [String] = [],
        postLogoutRedirectURIs: [String] = [],
        scopes: ScopeSet,
        audience: String,
        resources: [String] = [],
        codeChallenge: CodeChallengeRule = .required,
        requiresPushedRequests: Bool = false,
        requiresDPoP: Bool = false,
        refreshTokens: RefreshRule = .offlineAccess,
        requires: RequiredProof = .faceOrPasskey,
        backchannel: Backchannel? = nil,
        accessTokenLifetime: Duration = .seconds(3600),
        refreshTokenLifetime: Duration = .seconds(30 * 86_400),
        sessionLifetime: Duration = .seconds(90 * 86_400),
        upstream: String? = nil,
        identityAlgorithm: IdentityAlgorithm? = nil,
        identityClaims: Set<IdentityClaim> = []
    ) {
        self.id = id
        self.name = name
        self.origin = origin
        self.isEnabled = isEnabled
        self.authentication = authentication
        self.grants = grants
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
        self.scopes = scopes
        self.audience = audience
        self.resources = resources
        self.codeChallenge = codeChallenge
        self.requiresPushedRequests = requiresPushedRequests
        self.requiresDPoP = requiresDPoP
        self.refreshTokens = refreshTokens
        self.requires = requires
        self.backchannel = backchannel
        self.accessTokenLifetime = accessTokenLifetime
        self.refreshTokenLifetime = refreshTokenLifetime
        self.sessionLifetime = sessionLifetime
        self.upstream = upstream
        self.identityAlgorithm = identityAlgorithm
        self.identityClaims = identityClaims
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

    /// The rule for code challenges (RFC 7636), which OAuth 2.1 requires of public clients.
    package enum CodeChallengeRule: String, Sendable, CaseIterable {
        case required
        /// The rule for a published app that sends none; a challenge that is sent still binds.
        case optional
    }

    /// The rule for refresh tokens.
    package enum RefreshRule: String, Sendable, CaseIterable {
        /// The client gets one with the scope `offline_access` (OpenID Connect Core §11).
        case offlineAccess = "offline-access"
        /// The client always gets one, as an app of the operator.
        case always
    }

    /// The settings of CIBA (CIBA Core §4).
    package struct Backchannel: Sendable, Equatable {
        package var delivery: Delivery
        /// The endpoint of pings and pushes; `nil` for polls.
        package var notificationEndpoint: String?
        /// Whether its requests have to be signed by its keys.
        package var requiresSignedRequests: Bool

        package init(delivery: Delivery, notificationEndpoint: String?, requiresSignedRequests: Bool) {
            self.delivery = delivery
            self.notificationEndpoint = notificationEndpoint
            self.requiresSignedRequests = requiresSignedRequests
        }

        package enum Delivery: String, Sendable, CaseIterable {
            case poll, ping, push
        }
    }
}
