extension OAuthClient {
    /// Whether the client gets a refresh token with a grant of these scopes.
    ///
    /// A client that may not use the refresh grant gets none.
    package func getsRefreshToken(for scopes: ScopeSet) -> Bool {
        guard access.grants.contains(.refreshToken) else { return false }
        switch tokens.refresh {
        case .always: return true
        case .offlineAccess: return scopes.contains(ScopeSet.offlineAccess)
        }
    }

    /// Returns the granted scopes that the client may still have.
    ///
    /// The operator may have removed some since.
    package func leaves(of granted: ScopeSet) -> ScopeSet {
        ScopeSet(granted.values.intersection(access.scopes.values))
    }

    /// Returns the granted resources that the client may still have.
    func leaves(of granted: [String]) -> [String] {
        granted.filter { access.resources.contains($0) || $0 == access.audience }
    }
}
