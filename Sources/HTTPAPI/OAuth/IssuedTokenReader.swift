import Hummingbird
import Kernel
import OAuth
import SignIn
import TokenReading
import Tokens

/// Reads the token that a client asks about, which this server issued to a client of the authorization server.
struct IssuedTokenReader: Sendable {
    private let clients: ClientReader
    private let verifier: TokenVerifier
    private let refreshTokens: RefreshTokenReader
    private let grants: any OAuthGrantStore
    private let environment: Environment

    init(
        clients: ClientReader,
        verifier: TokenVerifier,
        refreshTokens: RefreshTokenReader,
        grants: any OAuthGrantStore,
        environment: Environment
    ) {
        self.clients = clients
        self.verifier = verifier
        self.refreshTokens = refreshTokens
        self.grants = grants
        self.environment = environment
    }

    /// Returns the client that asks, and the token that it asks about.
    func inquiry(_ request: Request, _ context: APIContext) async throws -> (client: OAuthClient, token: String) {
        try await clients.inquiry(request, context)
    }

    /// Returns the claims of a valid access token, whoever presents it.
    func access(_ token: String) -> AccessClaims? { try? verifier.inspectAccess(token, now: environment.now()) }

    /// Returns the claims of a valid refresh token.
    func refresh(_ token: String) -> RefreshClaims? { refreshTokens.found(token)?.claims }

    /// Returns the session of a valid token of either kind.
    func session(of token: String) -> SessionID? { refresh(token)?.session ?? access(token)?.session }

    /// Returns the OAuth grant that opened the session; `nil` for a session without one.
    func grant(of session: SessionID) async throws -> SessionGrant? { try await grants.find(session) }
}
