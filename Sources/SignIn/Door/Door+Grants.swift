package import Kernel
package import OAuth
package import Operations
package import Sessions
import Tokens

/// Opens sessions of the authorization server, for a code, a device code, or a backchannel request.
extension Door {
    /// Opens the session of a grant, in the unit of work that uses its code up.
    ///
    /// - Parameters:
    ///   - grant: The access that the person has granted.
    ///   - client: The client of the tokens.
    ///   - key: The key that binds the tokens; used up here.
    ///   - collected: The approved face that opens the session, if a face does; it has the session's id.
    ///   - transaction: The caller's unit of work.
    /// - Returns: The session, from which its tokens are signed.
    /// - Throws: ``OAuthError`` `invalid_grant` if the account can't sign in, the sign-in was ended or the client is
    ///   disabled; the errors of ``PresentedKey/use``; ``StoreError``.
    package func open(
        _ grant: AuthorizedGrant,
        client: OAuthClient,
        key: PresentedKey?,
        by collected: CollectedSignIn? = nil,
        in transaction: borrowing Transaction
    ) throws -> OpenedGrant {
        guard client.isEnabled, client.id == grant.clientID else {
            throw OAuthError(.invalidGrant, "The grant was made for another client, or this client is disabled.")
        }
        guard try active(grant.account, in: transaction) != nil else {
            throw OAuthError(.invalidGrant, "The person can no longer sign in.")
        }
        try tokens.checkKeys(for: client, grant.scopes)
        let signIn = try activeSignIn(of: grant, in: transaction)
        try key?.use(transaction)
        let id = collected?.session ?? environment.newID(of: grant.account)
        let opened = OpenedGrant(
            session: id,
            grant: grant,
            issuedAt: environment.now(),
            refreshTokenID: tokens.succession.first(of: id),
            proofKey: key?.thumbprint
        )
        let session = newSession(opened, client, by: collected, from: signIn?.authentication.origin)
        try sessions.signIn(session, in: transaction)
        if let origin = grant.authentication.session {
            try descents.note(.session(id), of: grant.account, from: origin, in: transaction)
        }
        try grants.insert(SessionGrant(grant, of: id), in: transaction)
        return opened
    }

    /// Returns the grant of an existing session, for a client whose answer was lost.
    ///
    /// - Returns: `nil` once the session has ended, or its refresh token was presented: the client has its tokens.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof` for another key than the session's; ``StoreError``.
    package func reopen(_ session: SessionID, client: OAuthClient, key: PresentedKey?) async throws -> OpenedGrant? {
        try await unitOfWork.run { try reopen(session, client: client, key: key, in: $0) }
    }

    private func reopen(
        _ session: SessionID,
        client: OAuthClient,
        key: PresentedKey?,
        in transaction: borrowing Transaction
    ) throws -> OpenedGrant? {
        let refreshTokenID = tokens.succession.first(of: session)
        guard client.isEnabled, let found = try sessions.find(session, in: transaction), found.revocation == nil,
            let limits = try grants.find(session, in: transaction), limits.clientID == client.id,
            try sessions.isUnused(refreshRowKey(refreshTokenID), in: transaction)
        else { return nil }
        guard found.tokenBinding.key == nil || found.tokenBinding.key == key?.thumbprint else {
            throw OAuthError(.invalidDPoPProof, "The grant is bound to the key of another proof.")
        }
        try key?.use(transaction)
        return OpenedGrant(
            session: session,
            grant: AuthorizedGrant(limits, of: found),
            issuedAt: found.createdAt,
            refreshTokenID: refreshTokenID,
            proofKey: key?.thumbprint
        )
    }

    /// Opens the session of a backchannel request whose face was approved, in the unit of work that collects the
    /// request.
    ///
    /// - Returns: `false`, and nothing is opened, if the account can't sign in or the client is disabled.
    /// - Throws: ``OAuthError`` for any other reason; the errors of ``PresentedKey/use``; ``StoreError``.
    package func open(
        _ grant: AuthorizedGrant,
        of collected: CollectedSignIn,
        client: OAuthClient,
        key: PresentedKey?,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        do {
            _ = try open(grant, client: client, key: key, by: collected, in: transaction)
        } catch let refusal as OAuthError where refusal.code == .invalidGrant {
            return false
        }
        return true
    }

    /// Ends a session of any account, for a reason that no person requested.
    func end(_ session: SessionID, because reason: RevocationReason) async throws {
        try await unitOfWork.run { [sessions] transaction in
            guard let found = try sessions.find(session, in: transaction) else { return }
            _ = try sessions.revoke(session, of: found.account, because: reason, in: transaction)
        }
    }

    /// Returns the session in which the person authenticated; `nil` for a grant without one.
    ///
    /// - Throws: ``OAuthError`` `invalid_grant` if that session no longer allows grants; ``StoreError``.
    private func activeSignIn(of grant: AuthorizedGrant, in transaction: borrowing Transaction) throws -> Session? {
        guard let id = grant.authentication.session else { return nil }
        guard let found = try sessions.grantable(id, of: grant.account, in: transaction) else {
            throw OAuthError(.invalidGrant, "The sign-in of this grant has ended. Sign the person in again.")
        }
        return found
    }

    /// Returns the rows of a grant's session.
    ///
    /// `origin`: That of the browser in which the person authenticated. The token request's is the app's server's.
    private func newSession(
        _ opened: OpenedGrant,
        _ client: OAuthClient,
        by collected: CollectedSignIn?,
        from origin: Session.Origin?
    ) -> NewSession {
        let grant = opened.grant
        let lifetime =
            client.getsRefreshToken(for: grant.scopes)
            ? client.tokens.refreshTokenLifetime : tokens.lifetime(of: client)
        return NewSession(
            opened.session,
            of: grant.account,
            client: client.id,
            device: nil,
            authentication: grant.authentication,
            // RFC 9449 §5: the refresh tokens of a confidential client are bound to the client itself.
            key: client.isConfidential ? nil : opened.proofKey,
            at: opened.issuedAt,
            refreshToken: (id: opened.refreshTokenID, lifetime: lifetime),
            face: collected?.face,
            from: origin
        )
    }
}

extension SessionGrant {
    fileprivate init(_ grant: AuthorizedGrant, of session: SessionID) {
        self.init(
            session: session,
            clientID: grant.clientID,
            scopes: grant.scopes,
            resources: grant.resources,
            nonce: grant.nonce,
            backchannelRequest: grant.backchannelRequest,
            identityClaims: grant.identityClaims
        )
    }
}

extension SessionService {
    /// Whether the sign-in that a grant is made in is active, or its person has only signed out of it since.
    package func isGrantable(
        _ authentication: AuthenticationContext,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let origin = authentication.session else { return true }
        return try grantable(origin, of: account, in: transaction) != nil
    }

    /// Returns the account's session if it is active, or its person has only signed out of it since.
    func grantable(
        _ id: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Session? {
        guard let session = try find(id, in: transaction), session.account == account else { return nil }
        return session.revocation == nil || session.revocation?.reason == .signedOut ? session : nil
    }
}
