package import Kernel
package import OAuth

/// The authorization server for OAuth and OpenID Connect clients.
package struct OAuthSettings: Sendable, Equatable {
    /// Whether `/oauth/*` is there.
    package var enabled = false
    /// Whether clients can register themselves, with a token of the operator's (RFC 7591).
    package var registration = false
    package var authorization = AuthorizationPolicy()
    package var backchannel = BackchannelPolicy(interval: .seconds(2))
    package var device = DeviceFlowPolicy()
}

/// The settings that make a client of the config one of the authorization server's.
package struct OAuthClientSettings: Sendable, Equatable {
    package var redirectURIs: [String] = []
    package var postLogoutRedirectURIs: [String] = []
    package var grants: [OAuthClient.GrantType] = [.authorizationCode, .refreshToken]
    package var authentication: Authentication = .none
    package var secret: Secret?
    /// Beside `secret`, while it is being rotated out.
    package var earlierSecret: Secret?
    package var keys: KeySetFile?
    package var scopes = ["openid", "profile", "email", "offline_access"]
    package var resources: [String] = []
    package var pkce: OAuthClient.CodeChallengeRule = .required
    package var requiresPushedRequests = false
    package var requiresDPoP = false
    package var refreshTokens: OAuthClient.RefreshRule = .offlineAccess
    package var requires: RequiredProof = .faceOrPasskey
    package var ciba: OAuthClient.Backchannel?
    /// `nil`: what access tokens are signed with.
    package var idTokenAlgorithm: IdentityAlgorithm?
    package var idTokenClaims: [IdentityClaim] = []

    /// How a client shows that it is itself.
    package enum Authentication: String, Sendable, CaseIterable {
        case none, secret
        case privateKeyJWT = "private-key-jwt"
    }
}

/// A client's public keys, as the file that the config names had them when it was read.
package struct KeySetFile: Sendable, Equatable {
    package let path: String
    package let document: String
}
