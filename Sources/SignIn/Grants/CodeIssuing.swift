package import Kernel
package import OAuth
package import Sessions

/// Issues codes for what people have granted, while the sign-ins are active that they have granted it in.
package struct CodeIssuing: Sendable {
    private let service: AuthorizationService
    private let sessions: SessionService
    private let unitOfWork: any UnitOfWork

    package init(service: AuthorizationService, sessions: SessionService, unitOfWork: any UnitOfWork) {
        self.service = service
        self.sessions = sessions
        self.unitOfWork = unitOfWork
    }

    /// Ends an interaction with a code, and keeps what was agreed to.
    ///
    /// `nil`, and nothing is written, once a remedy has ended the sign-in: it was asked for before, and may be over by now.
    /// - Throws: ``InteractionEndedError``.
    package func answer(_ interaction: Interaction, with grant: AuthorizedGrant) async throws -> AuthorizationAnswer? {
        try await unitOfWork.run { [service, sessions] transaction in
            guard try sessions.isGrantable(grant.authentication, of: grant.account, in: transaction) else { return nil }
            return try service.issueCode(for: interaction, grant: grant, in: transaction)
        }
    }

    /// The same for a request that needs no interaction.
    package func answer(
        _ request: AuthorizationRequest,
        with grant: AuthorizedGrant
    ) async throws -> AuthorizationAnswer? {
        try await unitOfWork.run { [service, sessions] transaction in
            guard try sessions.isGrantable(grant.authentication, of: grant.account, in: transaction) else { return nil }
            return try service.issueCode(for: request, grant: grant, in: transaction)
        }
    }
}
