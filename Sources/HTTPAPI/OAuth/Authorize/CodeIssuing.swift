package import Kernel
package import OAuth
package import Sessions

/// Issues codes for what people have granted, while the sign-ins stand that they have granted it in.
package struct CodeIssuing: Sendable {
    private let desk: AuthorizationDesk
    private let sessions: SessionDesk
    private let unitOfWork: any UnitOfWork

    package init(desk: AuthorizationDesk, sessions: SessionDesk, unitOfWork: any UnitOfWork) {
        self.desk = desk
        self.sessions = sessions
        self.unitOfWork = unitOfWork
    }

    /// Ends an interaction with a code, and keeps what was agreed to.
    ///
    /// `nil`, and nothing is written, once a remedy has ended the sign-in: it was asked for before, and may be over by now.
    /// - Throws: ``InteractionOver``.
    func answer(_ interaction: Interaction, with grant: AuthorizedGrant) async throws -> AuthorizationAnswer? {
        try await unitOfWork.run { [desk, sessions] transaction in
            guard try sessions.isGrantable(grant, in: transaction) else { return nil }
            return try desk.issueCode(for: interaction, grant: grant, in: transaction)
        }
    }

    /// The same for a request that needs no interaction.
    func answer(_ request: AuthorizationRequest, with grant: AuthorizedGrant) async throws -> AuthorizationAnswer? {
        try await unitOfWork.run { [desk, sessions] transaction in
            guard try sessions.isGrantable(grant, in: transaction) else { return nil }
            return try desk.issueCode(for: request, grant: grant, in: transaction)
        }
    }
}

extension SessionDesk {
    /// Whether the sign-in that a person made the grant in stands, or they have only signed out of it since; in the caller's
    /// unit of work.
    func isGrantable(_ grant: AuthorizedGrant, in transaction: borrowing Transaction) throws -> Bool {
        try isGrantable(grant.authentication, of: grant.account, in: transaction)
    }

    /// The same for what has no grant yet.
    func isGrantable(
        _ authentication: AuthenticationFacts,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let origin = authentication.session else { return true }
        guard let session = try find(origin, in: transaction), session.account == account else { return false }
        return session.revokedAt == nil || session.revokedBecause == .signedOut
    }
}
