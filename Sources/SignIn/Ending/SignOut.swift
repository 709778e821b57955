package import Kernel
package import OAuth
package import Sessions

/// Ends sessions for their owners and their clients.
package struct SignOut: Sendable {
    private let sessions: SessionService
    private let ending: any SessionEnding
    private let browsers: WebSessionService
    private let unitOfWork: any UnitOfWork

    package init(
        sessions: SessionService,
        ending: any SessionEnding,
        browsers: WebSessionService,
        unitOfWork: any UnitOfWork
    ) {
        self.sessions = sessions
        self.ending = ending
        self.browsers = browsers
        self.unitOfWork = unitOfWork
    }

    /// Ends a session, or with `everywhere` all sessions of the account.
    ///
    /// - Returns: `false` if nothing was ended: the session had ended before.
    package func end(_ session: SessionID, of account: AccountID, everywhere: Bool) async throws -> Bool {
        let isEnded = try await unitOfWork.run { try end(session, of: account, everywhere: everywhere, in: $0) }
        if isEnded, everywhere { try await ending.settleSignOut(of: account) }
        return isEnded
    }

    /// Ends a browser's session with its cookie, or without a `session` the cookie alone.
    package func end(cookie: Digest256, of session: Session?, everywhere: Bool) async throws {
        try await unitOfWork.run { [browsers] transaction in
            try browsers.end(cookie, in: transaction)
            guard let session else { return }
            _ = try end(session.id, of: session.account, everywhere: everywhere, in: transaction)
        }
        if let session, everywhere { try await ending.settleSignOut(of: session.account) }
    }

    /// Ends a browser's session, and the session of a client's id token (OpenID Connect RP-Initiated Logout 1.0 §2).
    package func end(cookie: Digest256?, and ended: [Session]) async throws {
        try await unitOfWork.run { [browsers] transaction in
            if let cookie { try browsers.end(cookie, in: transaction) }
            for session in ended {
                _ = try end(session.id, of: session.account, everywhere: false, in: transaction)
            }
        }
    }

    /// Ends a client's session, and revokes the person's consent to the client (RFC 7009 §2.1).
    ///
    /// A client that returned its tokens gets new ones only after the person is asked again.
    package func end(_ session: SessionID, of client: OAuthClient, with consents: AuthorizationService) async throws {
        try await unitOfWork.run { [sessions] transaction in
            guard let found = try sessions.find(session, in: transaction) else { return }
            _ = try end(session, of: found.account, everywhere: false, in: transaction)
            try consents.revokeConsent(of: found.account, to: client.id, in: transaction)
        }
    }

    private func end(
        _ session: SessionID,
        of account: AccountID,
        everywhere: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard everywhere else {
            return try sessions.revoke(session, of: account, because: .signedOut, in: transaction) != nil
        }
        guard try sessions.isOpen(session, of: account, in: transaction) else { return false }
        return try ending.signOutEverywhere(account, in: transaction) > 0
    }
}
