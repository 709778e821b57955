// VestibuleTokens: checks access tokens offline, for other people's backends.
// Owns the cache of the key set, and what a checked token says.
// Reads tokens by TokenReading, so that it refuses what the daemon refuses.
// Survives a server that is down: keys that are known go on for as long as their policy says.
// An unknown `kid` costs one fetch in a while, however many ask.

internal import Kernel
internal import TokenReading

/// Checks access tokens of one issuer offline, with the keys that it publishes.
///
/// ```swift
/// let verifier = try AccessTokenVerifier(issuer: "https://login.example.com", audience: "shop")
/// let token = try await verifier.verify(bearer)
/// print(token.account)
/// ```
/// The keys are fetched with the first token, kept as long as the issuer says, fetched again for a `kid` that is not there
/// (at most once a minute), and used for up to a day while the issuer can't be asked (``KeyCachePolicy``); while there are
/// none the issuer is asked every five seconds. Nothing in a
/// token chooses its key's algorithm or where keys come from.
///
/// A token that is limited to scopes is somebody's who may do a few things for the account and no others. It is refused
/// unless the verifier was made with `scopes` that it has; make one for each set of routes that ask for other scopes.
///
/// Offline means that a session that was ended is not noticed before its access token expires. Where that is too late,
/// ask the issuer, or give the client a shorter `accessTokenLifetime`.
public struct AccessTokenVerifier: Sendable {
    private let audiences: Set<String>
    private let scopes: Set<String>
    private let checks: TokenChecks
    private let keys: KeyCache
    private let now: @Sendable () -> Instant

    /// The most that ``init(issuer:audiences:scopes:leeway:keys:cache:)`` takes for `leeway`.
    public static let longestLeeway = Duration.seconds(300)

    /// A verifier for tokens of that issuer to that audience, with the issuer's key set from its usual place.
    ///
    /// - Parameters:
    ///   - issuer: The `iss` of tokens, byte for byte: `issuer` of the config, or its `publicURL`.
    ///   - audience: The `aud` of tokens: the client's `audience`.
    ///   - scopes: What a token that is limited to scopes has to be good for, all of them; where it is empty no limited
    ///     token counts.
    /// - Throws: ``ConfigurationError``.
    public init(issuer: String, audience: String, scopes: Set<String> = []) throws(ConfigurationError) {
        try self.init(issuer: issuer, audiences: [audience], scopes: scopes, keys: HTTPKeySetSource(issuer: issuer))
    }

    /// A verifier with everything said.
    ///
    /// - Parameters:
    ///   - issuer: The `iss` of tokens, byte for byte.
    ///   - audiences: A token has to be for one of them.
    ///   - scopes: What a token that is limited to scopes has to be good for, all of them; where it is empty no limited
    ///     token counts.
    ///   - leeway: How far this machine's clock may be off: a token is good so long after `exp`, and so long before `iat`
    ///     and `nbf`.
    ///   - keys: Where the key set comes from.
    ///   - cache: How long keys are used.
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

    /// Why a verifier can't be made: it would accept nothing, or too much.
    public enum ConfigurationError: Error, Hashable, Sendable {
        /// The issuer is empty.
        case issuer
        /// No audience is given, or an empty one.
        case audiences
        /// The leeway is negative or longer than ``AccessTokenVerifier/longestLeeway``.
        case leeway
    }

    /// What the token says, if it is good now.
    ///
    /// - Parameter token: The text behind `Bearer`.
    /// - Returns: Its claims.
    /// - Throws: ``AccessTokenError``.
    public func verify(_ token: String) async throws(AccessTokenError) -> AccessToken {
        let unverified = try Self.refusing { () throws(TokenError) in try checks.accessForm(token) }
        // Before anything is fetched: what is no access token in form is no reason to ask the issuer.
        let key = try await keys.key(unverified.kid)
        let claims = try Self.refusing { () throws(TokenError) in
            try checks.access(unverified, audiences: audiences, now: now()) { _ throws(TokenError) in
                guard let key else { throw .unknownKey }
                return key
            }
        }
        guard let token = AccessToken(claims) else { throw AccessTokenError(.claims) }
        guard isGoodFor(token.scopes) else { throw AccessTokenError(.scope) }
        return token
    }

    /// `granted`: `nil` for a token that is not limited.
    private func isGoodFor(_ granted: Set<String>?) -> Bool {
        guard let granted else { return true }
        return !scopes.isEmpty && scopes.isSubset(of: granted)
    }

    private static func refusing<Value>(
        _ body: () throws(TokenError) -> Value
    ) throws(AccessTokenError) -> Value {
        do { return try body() } catch { throw AccessTokenError(refusal: error) }
    }
}
