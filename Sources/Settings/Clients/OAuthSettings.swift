package import Kernel
package import OAuth

/// The authorization server for OAuth and OpenID Connect clients.
package struct OAuthSettings: Sendable, Equatable {
    /// Whether `/oauth/*` is there.
    package var enabled = false
    /// Whether clients can register themselves, with a token of the operator's (RFC 7591).
    package var registration = false
    /// From the end of a sign-in to the redemption of its code (RFC 6749 §4.1.2).
    package var codeLifetime: Duration = .seconds(60)
    /// From an authorization request to the end of its sign-in.
    package var interactionLifetime: Duration = .seconds(600)
    /// From a pushed request to its use (RFC 9126 §2.2).
    package var requestLifetime: Duration = .seconds(90)
    /// What a client of CIBA waits between two polls (CIBA Core §7.3).
    package var cibaInterval: Duration = .seconds(2)
    /// From a backchannel request to its end, unless it asks for less.
    package var cibaLifetime: Duration = .seconds(180)
    /// What a device waits between two polls (RFC 8628 §3.2).
    package var deviceInterval: Duration = .seconds(5)
    /// From a device's request to the end of its code.
    package var deviceLifetime: Duration = .seconds(600)
}

/// What makes a client of the config one of the authorization server's.
package struct OAuthClientSettings: Sendable, Equatable {
    package var redirectURIs: [String] = []
    package var postLogoutRedirectURIs: [String] = []
    /// By their short names.
    package var grants = ["authorization_code", "refresh_token"]
    package var authentication: Authentication = .none
    package var secret: Secret?
    /// Beside `secret`, while it is being rotated out.
    package var earlierSecret: Secret?
    package var keys: KeySetFile?
    package var scopes = ["openid", "profile", "email", "offline_access"]
    package var resources: [String] = []
    package var pkce: Demand = .required
    package var pushedRequests: Demand = .optional
    package var dpop: Demand = .optional
    package var refreshTokens: RefreshTokens = .offlineAccess
    package var requires: RequiredProof = .faceOrPasskey
    package var ciba: CIBASettings?
    /// What its id tokens are signed with.
    package var idTokenAlgorithm: IDTokenAlgorithm = .standard
    /// What its id tokens say of the person: `name`, `email`.
    package var idTokenClaims: [String] = []

    /// What id tokens are signed with: as access tokens are, or by a key of their own.
    package enum IDTokenAlgorithm: String, Sendable, CaseIterable {
        case standard = "default"
        case rs256
    }

    /// How a client shows that it is itself.
    package enum Authentication: String, Sendable, CaseIterable {
        case none, secret
        case privateKeyJWT = "private-key-jwt"
    }

    package enum Demand: String, Sendable, CaseIterable {
        case required, optional
    }

    /// When a sign-in gets a refresh token.
    package enum RefreshTokens: String, Sendable, CaseIterable {
        case offlineAccess = "offline-access"
        case always
    }
}

/// What a client of CIBA gets its answers by.
package struct CIBASettings: Sendable, Equatable {
    package var delivery: Delivery = .poll
    package var notificationEndpoint: String?
    package var signedRequests: OAuthClientSettings.Demand = .optional

    package enum Delivery: String, Sendable, CaseIterable {
        case poll, ping, push
    }
}

/// A client's public keys, as the file that the config names had them when it was read.
package struct KeySetFile: Sendable, Equatable {
    package let path: String
    package let document: String
}

extension OAuthSettings {
    package var authorizationPolicy: AuthorizationPolicy {
        AuthorizationPolicy(
            codeLifetime: codeLifetime,
            interactionLifetime: interactionLifetime,
            requestLifetime: requestLifetime
        )
    }
}

extension OAuthSettings {
    package var backchannelPolicy: BackchannelPolicy {
        BackchannelPolicy(interval: cibaInterval, lifetime: cibaLifetime)
    }
}
