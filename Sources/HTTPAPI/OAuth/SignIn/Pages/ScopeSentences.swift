import OAuth
import Web

/// The sentences about scopes on the consent pages.
enum ScopeSentences {
    /// Returns a sentence for each scope and resource.
    static func of(_ scopes: ScopeSet, _ resources: [String], in texts: LocalizedStrings) -> [String] {
        // Every token names the account, with or without `openid`.
        let asked = known.filter { $0.scope == ScopeSet.openID || scopes.contains($0.scope) }
        let others = scopes.values.subtracting(known.map { $0.scope }).sorted()
        return asked.map { texts[$0.key] }
            + others.map { texts[SignInKey.scopeOther].replacing("#", with: $0) }
            + resources.map { texts[SignInKey.resource].replacing("#", with: $0) }
    }

    private static let known: [(scope: String, key: SignInKey)] = [
        (ScopeSet.openID, .scopeOpenID), (ScopeSet.profile, .scopeProfile), (ScopeSet.email, .scopeEmail),
        (ScopeSet.offlineAccess, .scopeOffline),
    ]
}
