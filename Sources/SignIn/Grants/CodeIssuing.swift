package import Kernel
package import OAuth
package import Sessions

/// Issues codes for people's grants, while the sign-ins of the grants are active.
package struct CodeIssuing: Sendable {
    private let service: AuthorizationService
    private let sessions: SessionService
    private let unitOfWork: any UnitOfWork

    package init(service: AuthorizationService, sessions: SessionService, unitOfWork: any UnitOfWork) {
        self.service = service
        self.sessions = sessions
        self.unitOfWork = unitOfWork
    }

    /// Ends an interaction with a code, and stores the consent.
    ///
    /// Returns `nil` and writes nothing if a remedy has ended the sign-in since the caller read it.
    /// - Throws: ``InteractionEndedError``.
    package func answer(_ interaction: Interaction, with grant: AuthorizedGrant) async throws -> AuthorizationAnswer? {
        try await unitOfWork.run { [service, sessions] transaction in
            guard try sessions.isGrantable(grant.authentication, of: grant.account, in: transaction) else { return nil }
            return try service.issueCode(for: interaction, grant: grant, in: transaction)
        }
    }

    /// Issues a code for a request that needs no interaction.
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
