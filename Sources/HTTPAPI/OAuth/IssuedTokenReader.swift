import Kernel
import OAuth
import TokenReading
import Tokens

/// Reads what a client asks about: a token that this server issued to one of the authorization server's clients.
struct IssuedTokenReader: Sendable {
    let clients: ClientReader
    let verifier: TokenVerifier
    let refreshTokens: RefreshTokenReader
    let grants: any OAuthGrantStore
    let environment: Environment

    /// Returns the claims of a valid access token, whoever presents it.
    func access(_ token: String) -> AccessClaims? { try? verifier.inspectAccess(token, now: environment.now()) }
}
