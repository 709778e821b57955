package import Accounts
import Hummingbird
package import Kernel
package import OAuth
package import Sessions
package import SignIn
package import Tokens

/// Sessions of the authorization server: the one way from a grant to tokens, however the grant came about.
///
/// A grant handler calls ``open(_:client:proof:in:)`` in the unit of work that uses its code up, and answers with
/// ``answer(_:client:request:)`` when that is durable.
package struct OAuthSessions: Sendable {
    private let accounts: AccountDesk
    private let sessions: SessionDesk
    private let grants: any OAuthGrantStore
    private let tokens: OAuthTokens
    private let succession: RefreshSuccession
    private let gate: DPoPGate
    private let descents: any DescentStore
    private let facts: Facts

    package init(
        accounts: AccountDesk,
        sessions: SessionDesk,
        grants: any OAuthGrantStore,
        tokens: OAuthTokens,
        succession: RefreshSuccession,
        gate: DPoPGate,
        descents: any DescentStore,
        facts: Facts
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.grants = grants
        self.tokens = tokens
        self.succession = succession
        self.gate = gate
        self.descents = descents
        self.facts = facts
    }

    /// The proof of the key that tokens of this request are to be bound to; `nil` for bearer tokens.
    ///
    /// To be asked before anything is used up, since a proof that is no good refuses the request.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, also for a client that has to bring one and does not (RFC 9449 §5.2);
    ///   ``Problem`` where the server has no room for more of them.
    func proof(of request: Request, client: OAuthClient) throws -> ShownProof? {
        let proof = try gate.atTokenEndpoint(request)
        guard proof != nil || !client.requiresDPoP else {
            throw OAuthError(.invalidDPoPProof, "This client has to send a DPoP proof with each token request.")
        }
        return proof
    }

    /// Opens the session of a grant, in the caller's unit of work.
    ///
    /// Uses the proof up. `session`: what it is to be called, where that was said before.
    /// - Throws: ``OAuthError`` `invalid_grant` if the account can't sign in or the client is disabled, and
    ///   `temporarily_unavailable` until there are keys; what ``ShownProof/use()`` does; ``StoreFailure``.
    func open(
        _ grant: AuthorizedGrant,
        client: OAuthClient,
        proof: ShownProof?,
        as session: SessionID? = nil,
        in transaction: borrowing Transaction
    ) throws -> OpenedGrant {
        guard client.isEnabled, client.id == grant.clientID else {
            throw OAuthError(.invalidGrant, "The grant was made for another client, or this client is disabled.")
        }
        guard try accounts.active(grant.account, in: transaction) != nil else {
            throw OAuthError(.invalidGrant, "The person can't sign in any more.")
        }
        try tokens.checkKeys(for: client, grant.scopes)
        guard try sessions.isGrantable(grant, in: transaction) else {
            throw OAuthError(.invalidGrant, "The sign-in that the grant was made in has been ended.")
        }
        try proof?.use()
        let (session, now): (SessionID, Instant) = (session ?? facts.newID(), facts.now())
        let opened = OpenedGrant(
            session: session,
            grant: grant,
            issuedAt: now,
            refreshTokenID: succession.first(of: session),
            proofKey: proof?.thumbprint
        )
        try sessions.signIn(order(opened, client), in: transaction)
        if let origin = grant.authentication.session {
            try descents.note(.session(session), of: grant.account, from: origin, in: transaction)
        }
        try grants.insert(
            SessionGrant(
                session: session,
                clientID: client.id,
                scopes: grant.scopes,
                resources: grant.resources,
                nonce: grant.nonce,
                backchannelRequest: grant.backchannelRequest,
                identityClaims: grant.identityClaims
            ),
            in: transaction
        )
        return opened
    }

    /// The grant of a session that was opened before, for a client whose answer was lost; in the caller's unit of work.
    ///
    /// `nil` once the session is over, or its refresh token was presented: the client has its tokens.
    func reopen(
        _ session: SessionID,
        client: OAuthClient,
        proof: ShownProof?,
        in transaction: borrowing Transaction
    ) throws -> OpenedGrant? {
        let refreshTokenID = succession.first(of: session)
        guard client.isEnabled, let found = try sessions.find(session, in: transaction), found.revokedAt == nil,
            let limits = try grants.find(session, in: transaction), limits.clientID == client.id,
            try sessions.isUnused(refreshRowKey(refreshTokenID), in: transaction)
        else { return nil }
        guard found.proofKey == nil || found.proofKey == proof?.thumbprint else {
            throw OAuthError(.invalidDPoPProof, "The grant is bound to the key of another proof.")
        }
        try proof?.use()
        return OpenedGrant(
            session: session,
            grant: AuthorizedGrant(limits, of: found),
            issuedAt: found.createdAt,
            refreshTokenID: refreshTokenID,
            proofKey: proof?.thumbprint
        )
    }

    /// Whether a token request may ask for that of the grant; before anything of it is used up.
    /// - Throws: ``OAuthError`` `invalid_scope`, `invalid_target`.
    func check(
        _ request: TokenLimitsRequest,
        of grant: AuthorizedGrant,
        client: OAuthClient
    ) throws(OAuthError) {
        _ = try TokenLimits(of: grant.scopes, resources: grant.resources, client: client, request: request)
    }

    /// The answer of the token endpoint (RFC 6749 §5.1): the same tokens each time.
    func answer(
        _ opened: OpenedGrant,
        client: OAuthClient,
        request: TokenLimitsRequest = TokenLimitsRequest()
    ) async throws -> Response {
        OAuthReply.tokens(try await tokens.first(opened, client, request))
    }

    /// The same members, for a client that they are pushed to (CIBA Core §10.3.1).
    func pushed(_ opened: OpenedGrant, client: OAuthClient) async throws -> TokenMembers {
        try await tokens.first(opened, client, TokenLimitsRequest(), isPushed: true)
    }

    /// Ends a session, whosever it is: for what no person asks for.
    func end(_ session: SessionID, because reason: RevocationReason, _ unitOfWork: any UnitOfWork) async throws {
        try await unitOfWork.run { [sessions] transaction in
            guard let found = try sessions.find(session, in: transaction) else { return }
            _ = try sessions.revoke(session, of: found.account, because: reason, in: transaction)
        }
    }

    private func order(_ opened: OpenedGrant, _ client: OAuthClient) -> SessionOpeningOrder {
        let lifetime =
            client.getsRefreshToken(for: opened.grant.scopes)
            ? client.refreshTokenLifetime : tokens.lifetime(of: client)
        return SessionOpeningOrder(
            session: Session(
                id: opened.session,
                account: opened.grant.account,
                client: client.id,
                device: nil,
                createdAt: opened.issuedAt,
                authenticatedAt: opened.grant.authentication.at,
                methods: opened.grant.authentication.methods,
                // RFC 9449 §5: the refresh tokens of a confidential client are bound to the client itself.
                proofKey: client.isConfidential ? nil : opened.proofKey,
                passkey: opened.grant.authentication.passkey,
                revokedAt: nil
            ),
            refreshKey: refreshRowKey(opened.refreshTokenID),
            refreshExpiresAt: opened.issuedAt + lifetime
        )
    }
}

extension AuthorizedGrant {
    /// What was granted, as session and limits tell it.
    init(_ limits: SessionGrant, of session: Session) {
        self.init(
            account: session.account,
            clientID: limits.clientID,
            scopes: limits.scopes,
            resources: limits.resources,
            authentication: AuthenticationFacts(
                methods: session.methods,
                at: session.authenticatedAt,
                passkey: session.passkey
            ),
            nonce: limits.nonce,
            backchannelRequest: limits.backchannelRequest,
            identityClaims: limits.identityClaims
        )
    }
}
