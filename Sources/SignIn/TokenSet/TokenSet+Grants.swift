import Accounts
package import Kernel
package import OAuth
package import Sessions
import TokenReading
import Tokens

/// Tokens of the authorization server's clients.
extension TokenSet {
    /// Returns the lifetime of the client's access tokens.
    func lifetime(of client: OAuthClient) -> Duration { min(client.tokens.accessTokenLifetime, longest) }

    /// Checks that tokens of these scopes can be signed for the client, before anything is used up.
    ///
    /// - Throws: ``OAuthError`` `temporarily_unavailable` until the client's keys are generated.
    package func checkKeys(for client: OAuthClient, _ scopes: ScopeSet) throws(OAuthError) {
        guard !scopes.contains(ScopeSet.openID) || issuer.signsIdentity(by: client.tokens.identityAlgorithm?.signing)
        else {
            throw OAuthError(
                .temporarilyUnavailable,
                "The keys for this client's id tokens are being made: try again in a few seconds.",
                retryAfter: 5
            )
        }
    }

    /// Signs the tokens of a grant when its session is opened (RFC 6749 §5.1): the same tokens each time.
    ///
    /// - Parameters:
    ///   - opened: The grant's session.
    ///   - client: The client of the tokens.
    ///   - limits: The limits of the access token, within the grant.
    ///   - isPushed: Whether the client gets the tokens without a request, so that the id token vouches for all of
    ///     them.
    /// - Returns: The tokens that the client may have.
    /// - Throws: ``SigningError``; ``StoreError``.
    package func first(
        _ opened: OpenedGrant,
        _ client: OAuthClient,
        limits: TokenLimits,
        isPushed: Bool = false
    ) async throws -> IssuedTokens {
        let grant = opened.grant
        let subject = TokenSubject(grant, in: opened.session, boundTo: opened.proofKey)
        let end = opened.issuedAt + client.tokens.refreshTokenLifetime
        let refresh = TokenLife(id: opened.refreshTokenID, issuedAt: opened.issuedAt, expiresAt: end)
        let getsRefresh = client.getsRefreshToken(for: grant.scopes)
        let source = GrantTokenSource(
            subject: subject,
            grant: grant,
            client: client,
            tokenID: opened.refreshTokenID,
            issuedAt: opened.issuedAt,
            limit: opened.issuedAt + lifetime(of: client),
            nonce: grant.nonce,
            refresh: getsRefresh ? issuer.sign(refresh: subject.refresh(refresh, use: .oauth)) : nil
        )
        return try await tokens(source, limits, isPushed: isPushed, refreshExpiresAt: end)
    }

    /// Signs the tokens of a refresh.
    ///
    /// - Parameters:
    ///   - refreshed: The result of the refresh, and the presented token.
    ///   - grant: The grant of the session.
    ///   - client: The client of the tokens.
    ///   - limits: The limits of the access token, within the grant.
    ///   - proofKey: The key of the request's proof.
    /// - Returns: The tokens that the client may have.
    /// - Throws: The errors of ``first(_:_:limits:isPushed:)``.
    package func refreshed(
        _ refreshed: (grant: RefreshGrant, held: PresentedRefreshToken),
        of grant: AuthorizedGrant,
        client: OAuthClient,
        limits: TokenLimits,
        proofKey: Digest256?
    ) async throws -> IssuedTokens {
        let (held, lifetime) = (refreshed.held, lifetime(of: client))
        let next = successor(of: held, refreshed.grant, lifetime: lifetime, at: environment.now())
        let subject = TokenSubject(grant, in: refreshed.grant.session.id, boundTo: proofKey)
        let refresh = refreshed.grant.successor.map { row in
            issuer.sign(refresh: subject.refresh(TokenLife(id: next.tokenID, row), use: .oauth))
        }
        let source = GrantTokenSource(
            subject: subject,
            grant: grant,
            client: client,
            tokenID: next.tokenID,
            issuedAt: next.issuedAt,
            limit: min(next.issuedAt + lifetime, next.end),
            // OpenID Connect Core §12.2: the nonce belongs to the sign-in.
            nonce: nil,
            refresh: refresh ?? Secret(held.text)
        )
        return try await tokens(source, limits, isPushed: false, refreshExpiresAt: next.end)
    }

    private func tokens(
        _ source: GrantTokenSource,
        _ limits: TokenLimits,
        isPushed: Bool,
        refreshExpiresAt: Instant
    ) async throws -> IssuedTokens {
        let (grant, client) = (source.grant, source.client)
        let life = source.life(limits, succession)
        let access = try issuer.sign(
            access: source.subject.access(life, audience: limits.audience, scopes: limits.scopes.values)
        )
        var tokens = IssuedTokens(
            access: access,
            expiresIn: life.secondsLeft(at: environment.now()),
            type: TokenScheme.of(source.subject.proofKey),
            refresh: source.refresh,
            refreshExpiresAt: refreshExpiresAt
        )
        tokens.scope = limits.scopes.isEmpty ? nil : limits.scopes.text
        guard limits.scopes.contains(ScopeSet.openID) else { return tokens }
        let person = try await person(of: grant, for: client, within: limits.scopes)
        tokens.identity = try issuer.sign(
            identity: source.subject.identity(life, of: grant, nonce: source.nonce, person),
            beside: access,
            pushed: isPushed ? source.refresh : nil,
            by: client.tokens.identityAlgorithm?.signing
        )
        return tokens
    }

    /// Returns the person's claims for the id token; `nil` if there are none to add, and then no account is read.
    private func person(
        of grant: AuthorizedGrant,
        for client: OAuthClient,
        within scopes: ScopeSet
    ) async throws -> IDTokenClaims.Person? {
        let claims = client.tokens.identityClaims.union(grant.identityClaims).filter { scopes.contains($0.scope) }
        guard !claims.isEmpty, let record = try await accounts.find(grant.account), record.account.state == .active
        else { return nil }
        let profile = record.profile
        return IDTokenClaims.Person(
            name: claims.contains(.name) ? profile.account.displayName : nil,
            preferredUsername: claims.contains(.preferredUsername) ? profile.username?.shown : nil,
            email: claims.contains(.email) ? profile.email?.text : nil,
            isEmailVerified: profile.isEmailVerified
        )
    }
}

/// The data from which a grant's tokens are made.
private struct GrantTokenSource {
    let subject: TokenSubject
    let grant: AuthorizedGrant
    let client: OAuthClient
    /// The `jti` of the refresh token beside the access token.
    let tokenID: String
    let issuedAt: Instant
    let limit: Instant
    let nonce: String?
    /// The refresh token of the answer.
    let refresh: Secret?

    func life(_ limits: TokenLimits, _ succession: RefreshSuccession) -> TokenLife {
        TokenLife(
            id: succession.accessTokenID(
                for: tokenID,
                issuedAt: issuedAt,
                limitedTo: [limits.audience, limits.scopes.text, subject.proofKey.map { KeyID($0).text } ?? ""]
            ),
            issuedAt: issuedAt,
            expiresAt: limit
        )
    }
}
