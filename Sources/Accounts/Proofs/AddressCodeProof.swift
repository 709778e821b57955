package import Kernel

/// A code that somebody typed, signed in, to prove an address of their account.
package struct AddressCodeTry: Sendable {
    package let code: AddressCode
    package let account: AccountID
    /// The session that they are signed in with, and what it shows of its device.
    package let kept: KeptAccess
    /// The client that they use, which mails name.
    package let client: String
    /// The language's tag.
    package let language: String

    package init(code: AddressCode, account: AccountID, kept: KeptAccess, client: String, language: String) {
        self.code = code
        self.account = account
        self.kept = kept
        self.client = client
        self.language = language
    }
}

/// What came of the code.
package enum AddressCodeOutcome: Sendable, Equatable {
    case proven
    /// Wrong, too old, another session's; or the address is proven already, or another's by now.
    case refused
    /// Too many tries without success; this one was not looked at.
    case lockedOut(Duration)
}

extension AddressProofService {
    /// Proves an address by the code that was mailed to it, typed in the app: the session that types it goes on.
    ///
    /// Whoever types it reads the mailbox and holds the session, so that the session is the owner's. Everything else of the
    /// account may be somebody else's who has opened it with the owner's address (pre-hijacking; Sudhodanan and Paverd,
    /// 2022), and ends. The owner is told which device it was: a code that was read out to a stranger shows that way.
    package func prove(_ attempt: AddressCodeTry) async throws -> AddressCodeOutcome {
        let outcome = try await unitOfWork.run { transaction in try take(attempt, in: transaction) }
        if outcome == .proven { try await settle(attempt.account) }
        return outcome
    }

    /// A wrong try is written: the unit must not be undone for it.
    private func take(_ attempt: AddressCodeTry, in transaction: borrowing Transaction) throws -> AddressCodeOutcome {
        let (account, session) = (attempt.account, attempt.kept.session)
        guard try access.isOpen(session, of: account, in: transaction) else { return .refused }
        let subject = LockoutSubject.addressCode(account)
        do { try lockouts.attempt(subject, in: transaction) } catch let lockedOut as LockedOutError {
            return .lockedOut(lockedOut.wait)
        }
        let now = environment.now()
        let held = try addresses.addresses(of: account, in: transaction).filter { !$0.isVerified }
        let reader = NoticeReader(client: attempt.client, language: attempt.language)
        let meant = held.map(\.address).first { mint.isGood(attempt.code, for: $0, of: account, in: session, at: now) }
        guard let email = meant, try take(email, of: account, reader, in: transaction) != nil else { return .refused }
        try lockouts.succeeded(subject, in: transaction)
        let device = try access.removeAll(of: account, except: attempt.kept, in: transaction)
        try auditLog.append(AuditRecord(AccountAuditEvent.earlierAccessRemoved, of: account), in: transaction)
        try notify(email, of: .addressProvenInApp(device: device), for: reader, in: transaction)
        return .proven
    }
}
