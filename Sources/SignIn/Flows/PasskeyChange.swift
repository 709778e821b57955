package import Kernel
package import Passkeys
package import Sessions

/// Renames and removes passkeys, in a unit of work that checks the requesting session again.
///
/// A person who was signed out in the meantime changes no passkey.
package struct PasskeyChange: Sendable {
    private let passkeys: OwnedPasskeys
    private let sessions: SessionService
    private let unitOfWork: any UnitOfWork

    package init(passkeys: OwnedPasskeys, sessions: SessionService, unitOfWork: any UnitOfWork) {
        self.passkeys = passkeys
        self.sessions = sessions
        self.unitOfWork = unitOfWork
    }

    /// Renames a passkey of the account.
    ///
    /// - Throws: ``SessionEndedError``; the errors of ``OwnedPasskeys/rename(_:of:to:in:)``.
    package func rename(
        _ passkey: PasskeyID,
        to label: String,
        of account: AccountID,
        by session: SessionID
    ) async throws {
        try await unitOfWork.run { [passkeys] transaction in
            try check(session, of: account, in: transaction)
            try passkeys.rename(passkey, of: account, to: label, in: transaction)
        }
    }

    /// Removes a passkey of the account with the sessions that it opened.
    ///
    /// - Throws: ``SessionEndedError``; the errors of ``OwnedPasskeys/remove(_:of:by:client:language:in:)``.
    package func remove(
        _ passkey: PasskeyID,
        of account: AccountID,
        by session: SessionID,
        client: String,
        requester: Requester
    ) async throws {
        do {
            try await unitOfWork.run { [passkeys] transaction in
                try check(session, of: account, in: transaction)
                try passkeys.remove(
                    passkey,
                    of: account,
                    by: session,
                    client: client,
                    requester: requester,
                    in: transaction
                )
            }
        } catch PasskeyError.notFound {
            // An earlier request may have removed the passkey without ending the state in memory.
            try await settle(account)
            throw PasskeyError.notFound
        }
        try await settle(account)
    }

    /// Ends the state in memory of a removed passkey's sessions, also if an earlier request removed the passkey.
    package func settle(_ account: AccountID) async throws { try await passkeys.settle(removedFrom: account) }

    private func check(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws {
        guard try sessions.isOpen(session, of: account, in: transaction) else { throw SessionEndedError() }
    }
}
