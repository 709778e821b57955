extension OAuthClient {
    /// The grants, scopes and audiences that a client may ask for.
    package struct Access: Sendable, Equatable {
        package var grants: Set<GrantType>
        /// The scopes that the client may ask for.
        package var scopes: ScopeSet
        /// The `aud` of tokens whose request names no resource.
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
        /// The proof of identity that a person must have given before the client gets anything in their name.
        package var requires: RequiredProof
        /// The ways to sign in that are good enough; if empty, those that ``requires`` admits.
        package var ways: Set<SignInWay>
        /// The settings of the client's CIBA requests; `nil` for a client without that grant.
        package var backchannel: Backchannel?
        /// The upstream of a brokered client, which authenticates people instead of this server; `nil` for other
        /// clients.
        package var upstream: String?

        package init(
            redirectURIs: [String] = [],
            postLogoutRedirectURIs: [String] = [],
            codeChallenge: CodeChallengeRule = .required,
            requiresPushedRequests: Bool = false,
            requires: RequiredProof = .faceOrPasskey,
            ways: Set<SignInWay> = [],
            backchannel: Backchannel? = nil,
            upstream: String? = nil
        ) {
            self.redirectURIs = redirectURIs
            self.postLogoutRedirectURIs = postLogoutRedirectURIs
            self.codeChallenge = codeChallenge
            self.requiresPushedRequests = requiresPushedRequests
            self.requires = requires
            self.ways = ways
            self.backchannel = backchannel
            self.upstream = upstream
        }
    }

    /// The rules for a client's tokens.
    package struct TokenRules: Sendable, Equatable {
        /// Whether the client's tokens must be bound to a key (RFC 9449 §5.2).
        package var requiresDPoP: Bool
        package var refresh: RefreshRule
        package var accessTokenLifetime: Duration
        package var refreshTokenLifetime: Duration
        /// The time from a sign-in to the last possible refresh.
        package var sessionLifetime: Duration
        /// `id_token_signed_response_alg` (OpenID Connect Registration §2); with `nil`, id tokens are signed like
        /// access tokens.
        package var identityAlgorithm: IdentityAlgorithm?
        /// The claims about the person that the client's id tokens contain.
        package var identityClaims: Set<IdentityClaim>
        /// Where the client gets logout tokens; `nil` for a client that gets none.
        package var logout: LogoutEndpoint?

        package init(
            requiresDPoP: Bool = false,
            refresh: RefreshRule = .offlineAccess,
            accessTokenLifetime: Duration = .seconds(3600),
            refreshTokenLifetime: Duration = .seconds(30 * 86_400),
            sessionLifetime: Duration = .seconds(90 * 86_400),
            identityAlgorithm: IdentityAlgorithm? = nil,
            identityClaims: Set<IdentityClaim> = [],
            logout: LogoutEndpoint? = nil
        ) {
            self.requiresDPoP = requiresDPoP
            self.refresh = refresh
            self.accessTokenLifetime = accessTokenLifetime
            self.refreshTokenLifetime = refreshTokenLifetime
            self.sessionLifetime = sessionLifetime
            self.identityAlgorithm = identityAlgorithm
            self.identityClaims = identityClaims
            self.logout = logout
        }
    }

    /// The rule for code challenges (RFC 7636), which OAuth 2.1 requires of public clients.
    package enum CodeChallengeRule: String, Sendable, CaseIterable {
        case required
        /// The rule for a published app that sends no challenge. A challenge that is sent still binds the code.
        case optional
    }

    /// The rule for refresh tokens.
    package enum RefreshRule: String, Sendable, CaseIterable {
        /// The client gets a refresh token with the scope `offline_access` (OpenID Connect Core §11).
        case offlineAccess = "offline-access"
        /// The client always gets a refresh token. This is for an app of the operator.
        case always
    }

    /// The settings of a client's CIBA requests (CIBA Core §4).
    package struct Backchannel: Sendable, Equatable {
        package var delivery: Delivery
        /// The endpoint of pings and pushes; `nil` for polls.
        package var notificationEndpoint: String?
        /// Whether the client must sign its requests with its keys.
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
