package import Kernel

/// Port: finds out which accounts have a passkey that the landing page can ask for.
package protocol ConfirmingPasskeys: Sendable {
    /// Whether the account has a discoverable passkey, with the same reads for every account, including a decoy's.
    func isAsked(of account: AccountID) async throws -> Bool
}

/// A verified passkey signature over a challenge of the landing page.
///
/// It proves who opened the page, not who started the login, and it opens no session.
package struct PasskeyConfirmation: Sendable {
    /// The account of the passkey.
    package let account: AccountID
    package let passkey: PasskeyID
    /// Marks the challenge as used, in the unit of work that records the confirmation.
    package let use: @Sendable (borrowing Transaction) throws -> Void

    package init(
        account: AccountID,
        passkey: PasskeyID,
        use: @escaping @Sendable (borrowing Transaction) throws -> Void
    ) {
        self.account = account
        self.passkey = passkey
        self.use = use
    }
}

extension OperationService {
    /// The account that is read for a decoy, so that a decoy takes equally long.
    static let nobody = AccountID(UUIDBits(high: 0, low: 0))

    /// Whether the page asks for a passkey instead of the button if the account has one.
    ///
    /// It reveals nothing about the account: it depends on the client's policy, and on whether the browser has
    /// confirmed before.
    func asksPasskey(_ operation: Operation, _ visitor: Visitor) -> Bool {
        ports.accounts.passkeys != nil && operation.asksFirst
            && operation.request.policy.landing.confirmation == .passkeyIfAny
            && !operation.wasConfirmed(by: visitor.cookie)
    }

    /// Whether the page needs a browser that proves the account.
    ///
    /// It depends on the client's policy, and on whether the browser has confirmed before.
    func asksAccountProof(_ operation: Operation, _ visitor: Visitor) -> Bool {
        operation.request.policy.landing.needsAccountProof && !operation.wasConfirmed(by: visitor.cookie)
    }

    /// Confirms the operation by passkey or button.
    ///
    /// Returns the refusal, or `nil` when the visitor may continue.
    ///
    /// The pairing number must be compared first. Otherwise the button would tell a visitor without the number
    /// something about the account. The button of a decoy gives the same answer as that of an account with a passkey.
    /// So only a caller with that passkey can tell the two apart.
    func confirm(_ operation: Operation, _ visitor: Visitor) async throws -> OpenOutcome? {
        if let confirmation = visitor.confirmation { return try await take(confirmation, operation) }
        if asksAccountProof(operation, visitor) {
            // A decoy's page runs the same steps.
            let isProven = try await visitor.proves?(operation.request.account ?? Self.nobody) == true
            guard isProven, !operation.isDecoy else { return .accountProofNeeded }
        }
        guard let passkeys = ports.accounts.passkeys, asksPasskey(operation, visitor) else { return nil }
        // A decoy's page runs the same steps.
        let isAsked = try await passkeys.isAsked(of: operation.request.account ?? Self.nobody)
        return operation.isDecoy || isAsked ? .passkeyNeeded : nil
    }

    /// Marks the passkey's challenge as used and records the confirmation, if the passkey belongs to the operation's
    /// account.
    private func take(_ confirmation: PasskeyConfirmation, _ operation: Operation) async throws -> OpenOutcome? {
        guard confirmation.account == operation.request.account else { return .otherPasskey }
        let entry = AuditRecord(.confirmed, of: operation, at: clock.now, detail: confirmation.passkey.description)
        try await ports.unitOfWork.run { [auditLog = ports.auditLog] transaction in
            try confirmation.use(transaction)
            try auditLog.append(entry, in: transaction)
        }
        return nil
    }
}
