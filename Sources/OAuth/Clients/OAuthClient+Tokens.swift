extension OAuthClient {
    /// Whether a grant of these scopes gets the client a refresh token.
    ///
    /// Never one that the client may not present.
    package func getsRefreshToken(for scopes: ScopeSet) -> Bool {
        guard grants.contains(.refreshToken) else { return false }
        switch refreshTokens {
        case .always: return true
        case .offlineAccess: return scopes.contains(ScopeSet.offlineAccess)
        }
    }
}
