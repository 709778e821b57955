package import Kernel
package import OAuth
package import Tokens

/// Finds the account of an id token that a client presents as a hint.
package struct IdentityHints: IDTokenHints {
    private let verifier: TokenVerifier
    private let environment: Environment

    package init(verifier: TokenVerifier, environment: Environment) {
        self.verifier = verifier
        self.environment = environment
    }

    package func account(of token: String, for client: OAuthClient) -> AccountID? {
        guard let claims = try? verifier.verifyIdentityHint(token, now: environment.now()), claims.clientID == client.id
        else { return nil }
        return claims.account
    }
}
