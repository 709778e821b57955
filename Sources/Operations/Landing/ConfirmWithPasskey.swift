package import Kernel

/// Port: the accounts with a passkey that the page behind a login's link can ask for.
package protocol ConfirmingPasskeys: Sendable {
    /// Whether the account has a discoverable passkey; the reads are the same for every account, also for a decoy's.
    func isAsked(of account: AccountID) async throws -> Bool
}

/// A verified signature of a passkey over a challenge of this page.
///
/// It proves who opened the page, and not who started the login; it opens no session.
package struct PasskeyConfirmation: Sendable {
    /// The account of the passkey.
    package let account: AccountID
    package let passkey: PasskeyID
    /// Uses the challenge up, in the unit of work that records the confirmation.
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
    /// The account that is read for a decoy, so that it takes as long.
    static let nobody = AccountID(UUIDBits(high: 0, low: 0))

    /// Whether the page asks for a passkey instead of a press, where the account has one.
    ///
    /// It tells nothing of the account: it is the client's policy, except for a browser that has confirmed before.
    func asksPasskey(_ operation: Operation, _ visitor: Visitor) -> Bool {
        ports.accounts.passkeys != nil && operation.asksFirst
            && operation.request.policy.landing.confirmation == .passkeyIfAny
            && !operation.wasConfirmed(by: visitor.cookie)
    }

    /// Whether the page needs a browser that proves the account: the client's policy, except for a browser that has
    /// confirmed before.
    func asksAccountProof(_ operation: Operation, _ visitor: Visitor) -> Bool {
        operation.request.policy.landing.needsAccountProof && !operation.wasConfirmed(by: visitor.cookie)
    }

    /// Confirms by passkey or by a press; returns the refusal, or `nil` when the visitor may continue.
    ///
    /// The number must be compared before, or a press would tell more about an account to a visitor without the number.
    /// A press at a decoy ends as at an account with a passkey, so that nobody without that passkey can tell the two
    /// apart.
    func confirm(_ operation: Operation, _ visitor: Visitor) async throws -> OpenOutcome? {
        if let confirmation = visitor.confirmation { return try await take(confirmation, operation) }
        if asksAccountProof(operation, visitor) {
            // A decoy's page takes the same steps.
            let isProven = try await visitor.proves?(operation.request.account ?? Self.nobody) == true
            guard isProven, !operation.isDecoy else { return .accountProofNeeded }
        }
        guard let passkeys = ports.accounts.passkeys, asksPasskey(operation, visitor) else { return nil }
        // A decoy's page takes the same steps.
        let isAsked = try await passkeys.isAsked(of: operation.request.account ?? Self.nobody)
        return operation.isDecoy || isAsked ? .passkeyNeeded : nil
    }

    /// Uses the passkey's confirmation up and records it, at a login of its own account alone.
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
