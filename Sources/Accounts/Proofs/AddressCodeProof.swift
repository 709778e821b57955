package import Kernel

/// A code that a signed-in person typed to verify an address of their account.
package struct AddressCodeTry: Sendable {
    package let code: AddressCode
    package let account: AccountID
    /// The person's session, and the evidence about its device.
    package let kept: KeptAccess
    /// The client that the person uses, which mails name.
    package let client: String
    /// The person behind the request, whom the mails describe.
    package let requester: Requester

    package init(code: AddressCode, account: AccountID, kept: KeptAccess, client: String, requester: Requester) {
        self.code = code
        self.account = account
        self.kept = kept
        self.client = client
        self.requester = requester
    }
}

/// The outcome of typing the code.
package enum AddressCodeOutcome: Sendable, Equatable {
    case proven
    /// The code is wrong, too old or another session's, or the address is already verified, or by now another
    /// account's.
    case refused
    /// Too many tries failed, and this try was not checked.
    case lockedOut(Duration)
}

extension AddressProofService {
    /// Verifies an address by the code that was mailed to it and typed in the app, whose session stays active.
    ///
    /// The person who types the code reads the mailbox and holds the session, so that the session is the owner's. All
    /// other access ends, because an attacker may have opened the account with the owner's address (pre-hijacking;
    /// Sudhodanan and Paverd, 2022). The owner is told which device stays signed in, so that a code that was read out
    /// to an attacker becomes visible.
    package func prove(_ attempt: AddressCodeTry) async throws -> AddressCodeOutcome {
        let outcome = try await records.unitOfWork.run { transaction in try take(attempt, in: transaction) }
        if outcome == .proven { try await settle(attempt.account) }
        return outcome
    }

    /// Checks the code and counts a wrong try, for which the unit must not be rolled back.
    private func take(_ attempt: AddressCodeTry, in transaction: borrowing Transaction) throws -> AddressCodeOutcome {
        let (account, session) = (attempt.account, attempt.kept.session)
        guard try access.isOpen(session, of: account, in: transaction) else { return .refused }
        let subject = LockoutSubject.addressCode(account)
        do { try lockouts.attempt(subject, in: transaction) } catch let lockedOut as LockedOutError {
            return .lockedOut(lockedOut.wait)
        }
        let now = environment.now()
        let held = try records.addresses.addresses(of: account, in: transaction).filter { !$0.isVerified }
        let reader = NoticeReader(client: attempt.client, requester: attempt.requester)
        let meant = held.map(\.address).first {
            factory.isGood(attempt.code, for: $0, of: account, in: session, at: now)
        }
        guard let email = meant, try take(email, of: account, reader, in: transaction) != nil else { return .refused }
        try lockouts.succeeded(subject, in: transaction)
        let device = try access.removeAll(of: account, except: attempt.kept, in: transaction)
        try records.auditLog.append(AuditRecord(AccountAuditEvent.earlierAccessRemoved, of: account), in: transaction)
        try notify(email, of: .addressProvenInApp(device: device), for: reader, in: transaction)
        return .proven
    }
}
