extension OAuthClient {
    /// What a client may ask for.
    package struct Access: Sendable, Equatable {
        package var grants: Set<GrantType>
        /// The scopes that it may ask for.
        package var scopes: ScopeSet
        /// The `aud` of tokens that name no resource.
        package var audience: String
        /// The accepted values of `resource` (RFC 8707): absolute URIs without fragment.
        package var resources: [String]

        package init(grants: Set<GrantType>, scopes: ScopeSet, audience: String, resources: [String] = []) {
            self.grants = grants
            self.scopes = scopes
            self.audience = audience
            self.resources = resources
        }
    }

    /// The rules for a client's authorization requests, in a browser and on the backchannel.
    package struct AuthorizationRules: Sendable, Equatable {
        /// The redirect URIs, compared exactly except for loopback ports (RFC 8252 §7.3, RFC 9700 §2.1).
        package var redirectURIs: [String]
        package var postLogoutRedirectURIs: [String]
        package var codeChallenge: CodeChallengeRule
        /// Whether an authorization request has to be pushed first (RFC 9126 §6).
        package var requiresPushedRequests: Bool
        /// The proof that a person must have given before the client gets anything in their name.
        package var requires: RequiredProof
        /// The settings of its CIBA requests; `nil` for a client without that grant.
        package var backchannel: Backchannel?
        /// The upstream of a brokered client, which answers in place of this server.
        package var upstream: String?

        package init(
            redirectURIs: [String] = [],
            postLogoutRedirectURIs: [String] = [],
            codeChallenge: CodeChallengeRule = .required,
            requiresPushedRequests: Bool = false,
            requires: RequiredProof = .faceOrPasskey,
            backchannel: Backchannel? = nil,
            upstream: String? = nil
        ) {
            self.redirectURIs = redirectURIs
            self.postLogoutRedirectURIs = postLogoutRedirectURIs
            self.codeChallenge = codeChallenge
            self.requiresPushedRequests = requiresPushedRequests
            self.requires = requires
            self.backchannel = backchannel
            self.upstream = upstream
        }
    }

    /// The rules for a client's tokens.
    package struct TokenRules: Sendable, Equatable {
        /// Whether its tokens have to be bound to a key (RFC 9449 §5.2).
        package var requiresDPoP: Bool
        package var refresh: RefreshRule
        package var accessTokenLifetime: Duration
        package var refreshTokenLifetime: Duration
        /// The time from a sign-in to the last refresh.
        package var sessionLifetime: Duration
        /// `id_token_signed_response_alg` (OpenID Connect Registration §2); `nil`: what access tokens are signed with.
        package var identityAlgorithm: IdentityAlgorithm?
        /// The claims about the person in its id tokens.
        package var identityClaims: Set<IdentityClaim>

        package init(
            requiresDPoP: Bool = false,
            refresh: RefreshRule = .offlineAccess,
            accessTokenLifetime: Duration = .seconds(3600),
            refreshTokenLifetime: Duration = .seconds(30 * 86_400),
            sessionLifetime: Duration = .seconds(90 * 86_400),
            identityAlgorithm: IdentityAlgorithm? = nil,
            identityClaims: Set<IdentityClaim> = []
        ) {
            self.requiresDPoP = requiresDPoP
            self.refresh = refresh
            self.accessTokenLifetime = accessTokenLifetime
            self.refreshTokenLifetime = refreshTokenLifetime
            self.sessionLifetime = sessionLifetime
            self.identityAlgorithm = identityAlgorithm
            self.identityClaims = identityClaims
        }
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
