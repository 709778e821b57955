/// A client of the authorization server, as it is in force: from the config, from the store, or registered by itself.
package struct OAuthClient: Sendable, Equatable {
    /// `client_id`.
    package let id: String
    /// What people are shown (`client_name`).
    package let name: String
    package let origin: Origin
    /// A disabled client gets nothing: its tokens stop at the next refresh.
    package let isEnabled: Bool
    package let authentication: Authentication
    package let grants: Set<GrantType>
    /// Compared character by character, but for the port of loopback addresses (RFC 8252 §7.3, RFC 9700 §2.1).
    package let redirectURIs: [String]
    package let postLogoutRedirectURIs: [String]
    /// All that it may ask for.
    package let scopes: ScopeSet
    /// The `aud` of tokens that name no resource.
    package let audience: String
    /// What `resource` may name (RFC 8707): absolute URIs without fragment.
    package let resources: [String]
    package let codeChallenge: CodeChallengeRule
    /// Whether an authorization request has to be pushed first (RFC 9126 §6).
    package let requiresPushedRequests: Bool
    /// Whether its tokens have to be bound to a key (RFC 9449 §5.2).
    package let requiresDPoP: Bool
    package let refreshTokens: RefreshRule
    /// What a person has to have proved before it gets anything in their name.
    package let requires: RequiredProof
    package let backchannel: Backchannel?
    package let accessTokenLifetime: Duration
    package let refreshTokenLifetime: Duration
    /// From a sign-in to the last refresh.
    package let sessionLifetime: Duration
    /// The upstream whose authorization server answers in our place: the broker's.
    package let upstream: String?
    /// `id_token_signed_response_alg` (OpenID Connect Registration §2); `nil`: what access tokens are signed with.
    package let identityAlgorithm: IdentityAlgorithm?
    /// What its id tokens say of the person.
    package let identityClaims: Set<IdentityClaim>

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

    /// Where a client comes from, which decides how far it is trusted.
    package enum Origin: String, Sendable, CaseIterable {
        /// The operator's own, of the config: its people are asked for no consent.
        case config
        /// Added with `vestibule clients add`.
        case added
        /// Registered by itself (RFC 7591).
        case registered

        package var isFirstParty: Bool { self == .config }
    }

    /// How a client shows at the token endpoint that it is itself (OpenID Connect Core §9).
    package enum Authentication: Sendable, Equatable {
        /// Public: it names itself, and proves nothing.
        case none
        /// `client_secret_basic` or `client_secret_post`; any of the secrets counts, so that one can be rotated.
        case secret([SecretHash])
        /// `private_key_jwt` by one of these keys (RFC 7523 §2.2).
        case privateKeyJWT(ClientKeySet)
    }

    /// What a client may ask the token endpoint for.
    package enum GrantType: String, Sendable, CaseIterable {
        case authorizationCode = "authorization_code"
        case refreshToken = "refresh_token"
        case ciba = "urn:openid:params:grant-type:ciba"
        case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    }

    /// Whether an authorization request needs a code challenge (RFC 7636); of public clients OAuth 2.1 demands it.
    package enum CodeChallengeRule: String, Sendable, CaseIterable {
        case required
        /// For a published app that sends none; where one is sent it binds.
        case optional
    }

    /// When a sign-in gets a refresh token.
    package enum RefreshRule: String, Sendable, CaseIterable {
        /// With the scope `offline_access` (OpenID Connect Core §11).
        case offlineAccess = "offline-access"
        /// Always: an app of the operator's own.
        case always
    }

    /// What CIBA needs to know (CIBA Core §4).
    package struct Backchannel: Sendable, Equatable {
        package var delivery: Delivery
        /// Where pings and pushes go; `nil` for polls.
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
