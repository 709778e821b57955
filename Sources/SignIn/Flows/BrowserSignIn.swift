package import Kernel
package import OAuth
package import Sessions

/// Gives browsers the cookie of a session that was opened in another way.
package struct BrowserSignIn: Sendable {
    /// A new cookie for a session.
    package struct Cookie: Sendable {
        let digest: Digest256
        /// The digest of the cookie that the browser presented.
        let replaced: Digest256?
        let expiresAt: Instant

        package init(_ cookie: Secret, replacing replaced: Digest256?, until expiresAt: Instant) {
            digest = Digest256(sha256: cookie.expose())
            self.replaced = replaced
            self.expiresAt = expiresAt
        }
    }

    private let sessions: SessionService
    private let browsers: WebSessionService
    private let descents: any DescentLinks
    private let unitOfWork: any UnitOfWork

    package init(
        sessions: SessionService,
        browsers: WebSessionService,
        descents: any DescentLinks,
        unitOfWork: any UnitOfWork
    ) {
        self.sessions = sessions
        self.browsers = browsers
        self.descents = descents
        self.unitOfWork = unitOfWork
    }

    /// Adds a cookie to a session that has tokens as well.
    ///
    /// - Returns: `false` if the session ended since the request was admitted.
    package func open(_ cookie: Cookie, for session: SessionID, of account: AccountID) async throws -> Bool {
        try await unitOfWork.run { try open(cookie, for: session, of: account, isAlone: false, in: $0) }
    }

    /// Adds a cookie to the session that a scanned face opened, and notes the proof on the interaction.
    ///
    /// - Parameters:
    ///   - cookie: The only proof of the session: nobody gets its tokens.
    ///   - proven: The person who authenticated in that session.
    ///   - interaction: The interaction of the sign-in page.
    ///   - authorizations: The service that keeps the interaction.
    /// - Throws: ``InteractionEndedError``, also if the session was ended meanwhile; ``StoreError``.
    package func open(
        _ cookie: Cookie,
        for proven: Interaction.Proven,
        in interaction: String,
        noting authorizations: AuthorizationService
    ) async throws {
        try await unitOfWork.run { transaction in
            try open(cookie, for: proven, in: interaction, noting: authorizations, in: transaction)
        }
    }

    /// Adds a cookie to a session in the unit of work that opens the session, and notes the proof on the interaction.
    ///
    /// The parameters and errors are those of ``open(_:for:in:noting:)``.
    package func open(
        _ cookie: Cookie,
        for proven: Interaction.Proven,
        in interaction: String,
        noting authorizations: AuthorizationService,
        in transaction: borrowing Transaction
    ) throws {
        guard let session = proven.authentication.session,
            try open(cookie, for: session, of: proven.account, isAlone: true, in: transaction)
        else { throw InteractionEndedError() }
        guard let earlier = try authorizations.prove(interaction, proven, in: transaction) else { return }
        try descents.note(.session(session), of: proven.account, from: earlier, in: transaction)
    }

    private func open(
        _ cookie: Cookie,
        for session: SessionID,
        of account: AccountID,
        isAlone: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard try sessions.isOpen(session, of: account, in: transaction) else { return false }
        try browsers.open(
            cookie.digest,
            for: session,
            isAlone: isAlone,
            replacing: cookie.replaced,
            until: cookie.expiresAt,
            in: transaction
        )
        return true
    }
}
