package import Kernel

/// Port: which accounts have a passkey that the page behind a login's link can ask for.
package protocol ConfirmingPasskeys: Sendable {
    /// Whether the account has one that a browser finds without being told of it.
    ///
    /// Reads the same for every account, be it nobody's.
    func isAsked(of account: AccountID) async throws -> Bool
}

/// A signature of a passkey over a challenge of this very page, looked at: whoever holds the passkey is there.
///
/// It says who opened the page, and nothing of who started the login; it opens no session.
package struct PasskeyConfirmation: Sendable {
    /// Whose it is.
    package let account: AccountID
    package let passkey: PasskeyID
    /// Uses the challenge up, in the unit of work that puts the confirmation on record.
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
    /// In the place of a decoy's account, so that it takes as long.
    static let nobody = AccountID(UUIDBits(high: 0, low: 0))

    /// Whether a passkey goes on from the page in the place of a press, where the account has one.
    ///
    /// Tells nothing of the account: it is the client's policy, but for the browser that has gone on before.
    func asksPasskey(_ operation: Operation, _ visitor: Visitor) -> Bool {
        passkeys != nil && operation.asksFirst && operation.policy.landing.confirmation == .passkeyIfAny
            && !operation.wasConfirmed(by: visitor.cookie)
    }

    /// Whether the page goes on only for a browser that proves the account: the client's policy, but for the browser that
    /// has gone on before.
    func asksAccountProof(_ operation: Operation, _ visitor: Visitor) -> Bool {
        operation.policy.landing.needsAccountProof && !operation.wasConfirmed(by: visitor.cookie)
    }

    /// Whether the visitor may go on, by passkey or by a press; what there is to say where not, else `nil`.
    ///
    /// To be called after the number was held against the operation's, or a press would tell more of an account to who
    /// doesn't know the number. A press at a decoy ends as at an account with a passkey, so that nobody without that
    /// passkey can tell the two apart.
    func confirm(_ operation: Operation, _ visitor: Visitor) async throws -> OpenOutcome? {
        if let confirmation = visitor.confirmation { return try await take(confirmation, operation) }
        if asksAccountProof(operation, visitor) {
            // A decoy's page takes the same steps.
            let isProven = try await visitor.proves?(operation.account ?? Self.nobody) == true
            guard isProven, !operation.isDecoy else { return .accountProofNeeded }
        }
        guard let passkeys, asksPasskey(operation, visitor) else { return nil }
        // A decoy's page takes the same steps.
        let isAsked = try await passkeys.isAsked(of: operation.account ?? Self.nobody)
        return operation.isDecoy || isAsked ? .passkeyNeeded : nil
    }

    /// Uses the passkey's word up and puts it on record, at its own account's login alone.
    private func take(_ confirmation: PasskeyConfirmation, _ operation: Operation) async throws -> OpenOutcome? {
        guard confirmation.account == operation.account else { return .otherPasskey }
        let entry = AuditRecord(.confirmed, of: operation, at: clock.now, detail: confirmation.passkey.description)
        try await unitOfWork.run { [auditLog] transaction in
            try confirmation.use(transaction)
            try auditLog.append(entry, in: transaction)
        }
        return nil
    }
}
