extension OAuthClient {
    /// Whether a grant of these scopes gets the client a refresh token.
    ///
    /// Never one that the client may not present.
    package func getsRefreshToken(for scopes: ScopeSet) -> Bool {
        guard access.grants.contains(.refreshToken) else { return false }
        switch tokens.refresh {
        case .always: return true
        case .offlineAccess: return scopes.contains(ScopeSet.offlineAccess)
        }
    }

    /// Returns the granted scopes that the client may still have; the operator may have removed some since.
    package func leaves(of granted: ScopeSet) -> ScopeSet {
        ScopeSet(granted.values.intersection(access.scopes.values))
    }

    /// Returns the granted resources that the client may still have.
    func leaves(of granted: [String]) -> [String] {
        granted.filter { access.resources.contains($0) || $0 == access.audience }
    }
}
