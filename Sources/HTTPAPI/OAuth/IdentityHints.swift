package import Kernel
package import OAuth
package import Tokens

/// Whose the id tokens are that clients show as hints.
package struct IdentityHints: IDTokenHints {
    private let verifier: TokenVerifier
    private let facts: Facts

    package init(verifier: TokenVerifier, facts: Facts) {
        self.verifier = verifier
        self.facts = facts
    }

    package func account(of token: String, for client: OAuthClient) -> AccountID? {
        guard let claims = try? verifier.verifyIdentityHint(token, now: facts.now()), claims.clientID == client.id
        else { return nil }
        return claims.account
    }
}
