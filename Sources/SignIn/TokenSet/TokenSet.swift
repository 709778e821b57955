package import Accounts
package import Kernel
import OAuth
package import Operations
package import Sessions
import TokenReading
package import Tokens

/// Signs the tokens of sessions: the first and the refreshed ones, for apps and for OAuth clients.
///
/// The same rows give the same claims, so that a lost answer can be signed again.
package struct TokenSet: Sendable {
    let issuer: TokenIssuer
    let succession: RefreshSuccession
    let accounts: any AccountStore
    let clients: ClientDirectory
    /// The longest lifetime of access tokens, for which their keys and the memory of revoked sessions are kept.
    let longest: Duration
    let environment: Environment

    package init(
        issuer: TokenIssuer,
        succession: RefreshSuccession,
        accounts: any AccountStore,
        clients: ClientDirectory,
        longest: Duration,
        environment: Environment
    ) {
        self.issuer = issuer
        self.succession = succession
        self.accounts = accounts
        self.clients = clients
        self.longest = longest
        self.environment = environment
    }

    /// Signs the first two tokens of a session.
    ///
    /// - Parameters:
    ///   - claims: The claims of the session.
    ///   - policy: The client's policy at the sign-in.
    ///   - isRepeated: Whether the tokens were handed out before. The first answer tells the whole lifetime (RFC 6749
    ///     §5.1), a repeated answer the rest of it.
    /// - Returns: The access and the refresh token.
    /// - Throws: ``SigningError``.
    package func first(
        _ claims: SessionClaims,
        under policy: ClientPolicy,
        isRepeated: Bool = false
    ) throws -> TokenPair {
        // A clock that was set back meanwhile prolongs no token's lifetime.
        let now = isRepeated ? max(environment.now(), claims.issuedAt) : claims.issuedAt
        let subject = TokenSubject(claims, of: policy.clientID)
        let life = TokenLife(
            id: claims.accessTokenID.description,
            issuedAt: claims.issuedAt,
            expiresAt: claims.issuedAt + policy.accessTokenLifetime
        )
        let access = try issuer.sign(access: subject.access(life, audience: policy.audience))
        let end = claims.issuedAt + policy.refreshTokenLifetime
        let refresh = TokenLife(id: claims.refreshTokenID.description, issuedAt: claims.issuedAt, expiresAt: end)
        return TokenPair(
            access: access,
            expiresIn: life.secondsLeft(at: now),
            type: TokenScheme.of(claims.proofKey),
            refresh: issuer.sign(refresh: subject.refresh(refresh)),
            refreshExpiresAt: end
        )
    }

    /// Signs the tokens of a refresh.
    ///
    /// - Parameters:
    ///   - grant: The result of the refresh.
    ///   - held: The presented token.
    /// - Returns: `nil` if the session's client was removed from the config.
    /// - Throws: ``SigningError``.
    package func refreshed(_ grant: RefreshGrant, _ held: PresentedRefreshToken) throws -> IssuedTokens? {
        guard let policy = try? clients.client(named: grant.session.client, surface: nil) else { return nil }
        let now = environment.now()
        let next = successor(of: held, grant, lifetime: policy.accessTokenLifetime, at: now)
        let subject = TokenSubject(grant.session, deviceID: held.claims.deviceID)
        let life = TokenLife(
            id: succession.accessTokenID(for: next.tokenID, issuedAt: next.issuedAt),
            issuedAt: next.issuedAt,
            expiresAt: min(next.issuedAt + policy.accessTokenLifetime, next.end)
        )
        return IssuedTokens(
            access: try issuer.sign(access: subject.access(life, audience: policy.audience)),
            // The first answer with a token tells its whole lifetime, a repeated answer the rest of it.
            expiresIn: life.secondsLeft(at: grant.isRotation ? next.issuedAt : now),
            type: TokenScheme.of(grant.session.tokenBinding.key),
            refresh: grant.successor.map { row in
                issuer.sign(refresh: subject.refresh(TokenLife(id: next.tokenID, row)))
            },
            refreshExpiresAt: next.end
        )
    }

    /// Returns the command to refresh for a presented token, whose session may belong to one of `clients`.
    package func refreshCommand(
        for held: PresentedRefreshToken,
        clients: Set<String>,
        evidence: RefreshEvidence
    ) -> RefreshCommand {
        RefreshCommand(
            account: held.claims.account,
            session: held.claims.session,
            key: held.claims.rowKey,
            successor: refreshRowKey(succession.successor(of: held.claims.tokenID)),
            clients: clients,
            carrier: held.carrier,
            evidence: evidence
        )
    }

    /// The refresh token beside a refreshed access token, and the time at which the access token was issued.
    struct Successor {
        var tokenID: String
        var issuedAt: Instant
        var end: Instant
    }

    func successor(
        of held: PresentedRefreshToken,
        _ grant: RefreshGrant,
        lifetime: Duration,
        at now: Instant
    ) -> Successor {
        guard let row = grant.successor else {
            return Successor(tokenID: held.claims.tokenID, issuedAt: now, end: held.claims.expiresAt)
        }
        // The same access token is repeated while half of its lifetime is left. With less left, a client could hardly
        // use it.
        let isRepeated = now - row.issuedAt < lifetime / 2
        return Successor(
            tokenID: succession.successor(of: held.claims.tokenID),
            issuedAt: isRepeated ? row.issuedAt : now,
            end: row.expiresAt
        )
    }
}
