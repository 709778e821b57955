// VestibuleTokens: checks access tokens offline, for backends of other people.
// Owns the cache of the key set, and the claims of verified tokens.
// Reads tokens with TokenReading, so that it refuses the same tokens as the daemon.
// Survives an unreachable server: known keys stay in use as long as the policy allows.
// Many requests with an unknown `kid` cost the server one fetch per pause.

internal import Kernel
internal import TokenReading

/// Checks access tokens of one issuer offline, with the keys that it publishes.
///
/// ```swift
/// let verifier = try AccessTokenVerifier(issuer: "https://login.example.com", audience: "shop")
/// let token = try await verifier.verify(bearer)
/// print(token.account)
/// ```
/// The keys are fetched with the first token, and cached as long as the issuer says. An unknown `kid` causes another
/// fetch, at most once a minute. While the issuer is unreachable, the keys are used for up to a day
/// (``KeyCachePolicy``). Without any keys, a fetch is tried every five seconds. A token never chooses its key's
/// algorithm or the source of the keys.
///
/// A token that is limited to scopes has only some of the account's rights. It is refused unless it has all of the
/// verifier's `scopes`. Create one verifier for each set of routes with the same scopes.
///
/// An ended session is not noticed before its access token expires, because tokens are checked offline. If that is too
/// late, ask the issuer, or give the client a shorter `accessTokenLifetime`.
public struct AccessTokenVerifier: Sendable {
    private let audiences: Set<String>
    private let scopes: Set<String>
    private let checks: TokenChecks
    private let keys: KeyCache
    private let now: @Sendable () -> Instant

    /// The largest `leeway` that ``init(issuer:audiences:scopes:leeway:keys:cache:)`` accepts.
    public static let longestLeeway = Duration.seconds(300)

    /// Creates a verifier for tokens of that issuer with that audience.
    ///
    /// It fetches the key set from the issuer's well-known address.
    ///
    /// - Parameters:
    ///   - issuer: The `iss` of tokens, byte for byte: `issuer` of the config, or its `publicURL`.
    ///   - audience: The `aud` of tokens: the client's `audience`.
    ///   - scopes: The scopes that a limited token must all have. If empty, limited tokens are refused.
    /// - Throws: ``ConfigurationError``.
    public init(issuer: String, audience: String, scopes: Set<String> = []) throws(ConfigurationError) {
        try self.init(issuer: issuer, audiences: [audience], scopes: scopes, keys: HTTPKeySetSource(issuer: issuer))
    }

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - issuer: The `iss` of tokens, byte for byte.
    ///   - audiences: The accepted values of `aud`.
    ///   - scopes: The scopes that a limited token must all have. If empty, limited tokens are refused.
    ///   - leeway: The tolerance for this machine's clock: a token is accepted that long after `exp`, and that long
    ///     before `iat` and `nbf`.
    ///   - keys: The source of the key set.
    ///   - cache: The rules for how long keys are used.
    /// - Throws: ``ConfigurationError``.
    public init(
        issuer: String,
        audiences: Set<String>,
        scopes: Set<String> = [],
        leeway: Duration = .seconds(30),
        keys: any KeySetSource,
        cache: KeyCachePolicy = KeyCachePolicy()
    ) throws(ConfigurationError) {
        try self.init(
            issuer: issuer,
            audiences: audiences,
            scopes: scopes,
            leeway: leeway,
            keys: keys,
            cache: cache,
            time: .system
        )
    }

    package init(
        issuer: String,
        audiences: Set<String>,
        scopes: Set<String> = [],
        leeway: Duration,
        keys: any KeySetSource,
        cache: KeyCachePolicy,
        time: VerifierTime
    ) throws(ConfigurationError) {
        guard !issuer.isEmpty else { throw .issuer }
        guard !audiences.isEmpty, !audiences.contains("") else { throw .audiences }
        guard (.zero...Self.longestLeeway).contains(leeway) else { throw .leeway }
        self.audiences = audiences
        self.scopes = scopes
        checks = TokenChecks(issuer: issuer, clockSkew: leeway, expiryLeeway: leeway)
        self.keys = KeyCache(source: keys, policy: cache, uptime: time.uptime)
        now = time.now
    }

    /// The reason for which a verifier cannot be created: it would accept no token, or too many.
    public enum ConfigurationError: Error, Hashable, Sendable {
        /// The issuer is empty.
        case issuer
        /// The audiences are missing, or one is empty.
        case audiences
        /// The leeway is negative or longer than ``AccessTokenVerifier/longestLeeway``.
        case leeway
    }

    /// Verifies a token and returns its claims.
    ///
    /// - Parameter token: The text after `Bearer`.
    /// - Returns: The claims.
    /// - Throws: ``AccessTokenError``.
    public func verify(_ token: String) async throws(AccessTokenError) -> AccessToken {
        let unverified = try Self.refusing { () throws(TokenError) in try checks.accessForm(token) }
        // The form is checked before a fetch: a malformed token must not cause a request to the issuer.
        let key = try await keys.key(unverified.kid)
        let claims = try Self.refusing { () throws(TokenError) in
            try checks.access(unverified, audiences: audiences, now: now()) { _ throws(TokenError) in
                guard let key else { throw .unknownKey }
                return key
            }
        }
        guard let token = AccessToken(claims) else { throw AccessTokenError(.claims) }
        guard satisfiesScopes(token.scopes) else { throw AccessTokenError(.scope) }
        return token
    }

    /// Whether a token with the granted scopes has the required ones.
    ///
    /// `granted` is `nil` for a token that is not limited.
    private func satisfiesScopes(_ granted: Set<String>?) -> Bool {
        guard let granted else { return true }
        return !scopes.isEmpty && scopes.isSubset(of: granted)
    }

    private static func refusing<Value>(_ body: () throws(TokenError) -> Value) throws(AccessTokenError) -> Value {
        do { return try body() } catch { throw AccessTokenError(refusal: error) }
    }
}
