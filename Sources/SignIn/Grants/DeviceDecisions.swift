package import Accounts
package import Kernel
package import OAuth
package import Sessions

/// Stores a person's decision about a device that asks for access (RFC 8628 §3.3).
package struct DeviceDecisions: Sendable {
    private let deviceFlow: DeviceFlowService
    private let accounts: AccountService
    private let sessions: SessionService
    private let unitOfWork: any UnitOfWork

    package init(
        deviceFlow: DeviceFlowService,
        accounts: AccountService,
        sessions: SessionService,
        unitOfWork: any UnitOfWork
    ) {
        self.deviceFlow = deviceFlow
        self.accounts = accounts
        self.sessions = sessions
        self.unitOfWork = unitOfWork
    }

    /// Stores a decision, while the account and its sign-in are active.
    ///
    /// - Returns: The client of the device; `nil` if nothing was decided.
    package func keep(
        _ decision: DeviceDecision,
        about code: UserCode,
        by person: Interaction.Proven
    ) async throws -> String? {
        try await unitOfWork.run { [deviceFlow, accounts, sessions] transaction in
            guard try accounts.active(person.account, in: transaction) != nil,
                try sessions.isGrantable(person.authentication, of: person.account, in: transaction)
            else { return nil }
            return try deviceFlow.decide(code, decision, in: transaction)?.access.clientID
        }
    }
}
