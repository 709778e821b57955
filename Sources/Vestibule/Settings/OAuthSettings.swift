import Kernel
import OAuth

/// The authorization server for OAuth and OpenID Connect clients.
struct OAuthSettings: Sendable, Equatable {
    /// Whether `/oauth/*` is there.
    var enabled = false
    /// Whether clients can register themselves, with a token of the operator's (RFC 7591).
    var registration = false
    /// From the end of a sign-in to the redemption of its code (RFC 6749 §4.1.2).
    var codeLifetime: Duration = .seconds(60)
    /// From an authorization request to the end of its sign-in.
    var interactionLifetime: Duration = .seconds(600)
    /// From a pushed request to its use (RFC 9126 §2.2).
    var requestLifetime: Duration = .seconds(90)
    /// What a client of CIBA waits between two polls (CIBA Core §7.3).
    var cibaInterval: Duration = .seconds(2)
    /// From a backchannel request to its end, unless it asks for less.
    var cibaLifetime: Duration = .seconds(180)
    /// What a device waits between two polls (RFC 8628 §3.2).
    var deviceInterval: Duration = .seconds(5)
    /// From a device's request to the end of its code.
    var deviceLifetime: Duration = .seconds(600)
}

/// What makes a client of the config one of the authorization server's.
struct OAuthClientSettings: Sendable, Equatable {
    var redirectURIs: [String] = []
    var postLogoutRedirectURIs: [String] = []
    /// By their short names.
    var grants = ["authorization_code", "refresh_token"]
    var authentication: Authentication = .none
    var secret: Secret?
    /// Beside `secret`, while it is being rotated out.
    var earlierSecret: Secret?
    var keys: KeySetFile?
    var scopes = ["openid", "profile", "email", "offline_access"]
    var resources: [String] = []
    var pkce: Demand = .required
    var pushedRequests: Demand = .optional
    var dpop: Demand = .optional
    var refreshTokens: RefreshTokens = .offlineAccess
    var requires: RequiredProof = .faceOrPasskey
    var ciba: CIBASettings?
    /// What its id tokens are signed with.
    var idTokenAlgorithm: IDTokenAlgorithm = .standard
    /// What its id tokens say of the person: `name`, `email`.
    var idTokenClaims: [String] = []

    /// What id tokens are signed with: as access tokens are, or by a key of their own.
    enum IDTokenAlgorithm: String, Sendable, CaseIterable {
        case standard = "default"
        case rs256
    }

    /// How a client shows that it is itself.
    enum Authentication: String, Sendable, CaseIterable {
        case none, secret
        case privateKeyJWT = "private-key-jwt"
    }

    enum Demand: String, Sendable, CaseIterable {
        case required, optional
    }

    /// When a sign-in gets a refresh token.
    enum RefreshTokens: String, Sendable, CaseIterable {
        case offlineAccess = "offline-access"
        case always
    }
}

/// What a client of CIBA gets its answers by.
struct CIBASettings: Sendable, Equatable {
    var delivery: Delivery = .poll
    var notificationEndpoint: String?
    var signedRequests: OAuthClientSettings.Demand = .optional

    enum Delivery: String, Sendable, CaseIterable {
        case poll, ping, push
    }
}

/// A client's public keys, as the file that the config names had them when it was read.
struct KeySetFile: Sendable, Equatable {
    let path: String
    let document: String
}
