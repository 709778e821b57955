package import Accounts
package import Kernel
import OAuth
import Sessions
import TokenReading
package import Tokens

/// Signs the tokens of the authorization server's sessions: of the same rows the same claims, so that an answer can be
/// lost.
package struct OAuthTokens: Sendable {
    private let issuer: TokenIssuer
    private let succession: RefreshSuccession
    private let accounts: AccountDesk
    private let longest: Duration
    private let facts: Facts

    /// `longest`: how long the keys of access tokens, and the memory of revoked sessions, are made for.
    package init(
        issuer: TokenIssuer,
        succession: RefreshSuccession,
        accounts: AccountDesk,
        longest: Duration,
        facts: Facts
    ) {
        self.issuer = issuer
        self.accounts = accounts
        self.succession = succession
        self.longest = longest
        self.facts = facts
    }

    /// How long an access token of the client is good.
    func lifetime(of client: OAuthClient) -> Duration { min(client.accessTokenLifetime, longest) }

    /// Whether tokens of these scopes can be signed for the client; to be asked before anything is used up.
    /// - Throws: ``OAuthError`` `temporarily_unavailable` until the keys are made that it asks for.
    func checkKeys(for client: OAuthClient, _ scopes: ScopeSet) throws(OAuthError) {
        guard !scopes.contains(ScopeSet.openID) || issuer.signsIdentity(by: client.identityAlgorithm?.signing) else {
            throw OAuthError(
                .temporarilyUnavailable,
                "The keys for this client's id tokens are being made: try again in a few seconds.",
                retryAfter: 5
            )
        }
    }

    /// The members that a grant gets when its session is opened.
    ///
    /// `isPushed`: whether the client gets them without having asked, so that the id token vouches for all of them.
    func first(
        _ opened: OpenedGrant,
        _ client: OAuthClient,
        _ request: TokenLimitsRequest,
        isPushed: Bool = false
    ) async throws -> TokenMembers {
        let grant = opened.grant
        let end = opened.issuedAt + client.refreshTokenLifetime
        let refresh =
            client.getsRefreshToken(for: grant.scopes)
            ? sign(opened.session, grant.account, opened.refreshTokenID, opened.issuedAt, until: end) : nil
        let source = Source(
            session: opened.session,
            grant: grant,
            tokenID: opened.refreshTokenID,
            issuedAt: opened.issuedAt,
            limit: opened.issuedAt + lifetime(of: client),
            proofKey: opened.proofKey
        )
        return try await members(source, client, request, refresh, nonce: grant.nonce, isPushed: isPushed)
    }

    /// The members that a refresh gets; `proofKey`: the key whose proof came with it.
    func refreshed(
        _ refreshed: RefreshGrant,
        _ held: HeldRefreshToken,
        _ grant: AuthorizedGrant,
        _ client: OAuthClient,
        _ request: TokenLimitsRequest,
        proofKey: Digest256?
    ) async throws -> TokenMembers {
        let now = facts.now()
        var (tokenID, issuedAt, end) = (held.claims.tokenID, now, held.claims.expiresAt)
        var refresh: Secret?
        if let successor = refreshed.successor {
            tokenID = succession.successor(of: tokenID)
            end = successor.expiresAt
            // The same access token again, while half of its time is left; to one who comes later it would be no use.
            if now - successor.issuedAt < lifetime(of: client) / 2 { issuedAt = successor.issuedAt }
            refresh = sign(refreshed.session.id, grant.account, tokenID, successor.issuedAt, until: end)
        }
        let source = Source(
            session: refreshed.session.id,
            grant: grant,
            tokenID: tokenID,
            issuedAt: issuedAt,
            limit: min(issuedAt + lifetime(of: client), end),
            proofKey: proofKey
        )
        // OpenID Connect Core §12.2: no nonce, which belongs to the sign-in.
        return try await members(source, client, request, refresh ?? Secret(held.text), nonce: nil, isPushed: false)
    }

    /// What an access token is made of.
    private struct Source {
        let session: SessionID
        let grant: AuthorizedGrant
        /// The `jti` of the refresh token that it goes with.
        let tokenID: String
        let issuedAt: Instant
        let limit: Instant
        let proofKey: Digest256?
    }

    private func members(
        _ source: Source,
        _ client: OAuthClient,
        _ request: TokenLimitsRequest,
        _ refresh: Secret?,
        nonce: String?,
        isPushed: Bool
    ) async throws -> TokenMembers {
        let grant = source.grant
        let limits = try TokenLimits(of: grant.scopes, resources: grant.resources, client: client, request: request)
        let access = try issuer.sign(access: claims(source, client, limits))
        var identity: Secret?
        if limits.scopes.contains(ScopeSet.openID) {
            let person = try await person(grant, client, limits.scopes)
            identity = try issuer.sign(
                identity: self.identity(source, client, nonce: nonce, person),
                beside: access,
                pushed: isPushed ? refresh : nil,
                by: client.identityAlgorithm?.signing
            )
        }
        return TokenMembers(
            accessToken: access.expose(),
            tokenType: TokenScheme.of(source.proofKey),
            expiresIn: Int(max(0, (source.limit - facts.now()).wholeMilliseconds / 1000)),
            refreshToken: refresh?.expose(),
            scope: limits.scopes.isEmpty ? nil : limits.scopes.text,
            idToken: identity?.expose()
        )
    }

    private func claims(_ source: Source, _ client: OAuthClient, _ limits: TokenLimits) -> AccessClaims {
        let authentication = source.grant.authentication
        let confirmation = source.proofKey.map { KeyID($0) }
        return AccessClaims(
            account: source.grant.account,
            audience: limits.audience,
            clientID: client.id,
            session: source.session,
            deviceID: nil,
            tokenID: succession.accessTokenID(
                for: source.tokenID,
                issuedAt: source.issuedAt,
                limitedTo: [limits.audience, limits.scopes.text, confirmation?.text ?? ""]
            ),
            issuedAt: source.issuedAt,
            expiresAt: source.limit,
            authenticatedAt: authentication.at,
            methods: authentication.methods,
            contextClass: ContextClassReference(methods: authentication.methods)?.rawValue,
            confirmation: confirmation,
            scopes: limits.scopes.values
        )
    }

    /// What the id token says of the person; `nil` for nothing, which costs no look at the account.
    private func person(
        _ grant: AuthorizedGrant,
        _ client: OAuthClient,
        _ scopes: ScopeSet
    ) async throws -> IDTokenClaims.Person? {
        let claims = client.identityClaims.union(grant.identityClaims).filter { scopes.contains($0.scope) }
        guard !claims.isEmpty, let profile = try await accounts.active(grant.account)?.profile else { return nil }
        return IDTokenClaims.Person(
            name: claims.contains(.name) ? profile.account.displayName : nil,
            preferredUsername: claims.contains(.preferredUsername) ? profile.username?.shown : nil,
            email: claims.contains(.email) ? profile.email?.text : nil,
            isEmailVerified: profile.isEmailVerified
        )
    }

    private func identity(
        _ source: Source,
        _ client: OAuthClient,
        nonce: String?,
        _ person: IDTokenClaims.Person?
    ) -> IDTokenClaims {
        let authentication = source.grant.authentication
        return IDTokenClaims(
            account: source.grant.account,
            clientID: client.id,
            session: source.session,
            issuedAt: source.issuedAt,
            expiresAt: source.limit,
            authenticatedAt: authentication.at,
            methods: authentication.methods,
            contextClass: ContextClassReference(methods: authentication.methods)?.rawValue,
            nonce: nonce,
            backchannelRequest: source.grant.backchannelRequest,
            person: person
        )
    }

    private func sign(
        _ session: SessionID,
        _ account: AccountID,
        _ tokenID: String,
        _ issuedAt: Instant,
        until end: Instant
    ) -> Secret {
        issuer.sign(
            refresh: RefreshClaims(
                account: account,
                session: session,
                deviceID: nil,
                tokenID: tokenID,
                issuedAt: issuedAt,
                expiresAt: end,
                use: .oauth
            )
        )
    }
}

/// A successful answer of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
struct TokenMembers: Sendable, Encodable {
    let accessToken: String
    /// RFC 6749 §7.1, RFC 9449 §5.
    let tokenType: String
    let expiresIn: Int
    let refreshToken: String?
    /// Also where it is what was asked for; `nil` for a grant of none.
    let scope: String?
    let idToken: String?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
        case idToken = "id_token"
    }
}
