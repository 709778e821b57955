package import Kernel

/// The use cases of signing in with a password, and of setting one.
///
/// A wrong password, an account without a password and an unknown address cost the same work and are counted alike
/// (``Lockouts``). So neither the answer nor its time reveals whether an account exists. A try that finds no slot in
/// the hasher's queue is neither checked nor counted. Otherwise an attacker who fills the queue would lock owners out.
package struct PasswordService: Sendable {
    /// The length of a password in characters.
    package static let length = 12...1024

    private let unitOfWork: any UnitOfWork
    private let store: any AccountStore
    private let auditLog: any AuditLog
    private let lockouts: Lockouts
    private let hasher: PasswordHasher
    private let placeholder: @Sendable (EmailAddress) -> AccountID

    /// `placeholder`: makes the placeholder account id for an unknown address.
    package init(
        unitOfWork: any UnitOfWork,
        store: any AccountStore,
        auditLog: any AuditLog,
        lockouts: Lockouts,
        hasher: PasswordHasher,
        placeholder: @escaping @Sendable (EmailAddress) -> AccountID
    ) {
        self.unitOfWork = unitOfWork
        self.store = store
        self.auditLog = auditLog
        self.lockouts = lockouts
        self.hasher = hasher
        self.placeholder = placeholder
    }

    /// Checks a password for an address.
    ///
    /// `linked`: returns the account's own device that the caller proves, whose tries are counted apart.
    ///
    /// - Throws: ``PasswordHasherBusyError``, ``StoreError``.
    package func verify(
        _ password: Secret,
        of email: EmailAddress,
        linked: @escaping @Sendable (AccountID, borrowing Transaction) throws -> DeviceID?
    ) async throws -> PasswordOutcome {
        let record = try await store.find(email: email)
        // As with mailed codes, an address of a disabled account counts as unknown.
        let owner = record.flatMap { $0.account.state == .active ? $0.account.id : nil } ?? placeholder(email)
        return try await verify(password, record) { transaction in
            LockoutSubject(owner, linked: try linked(owner, transaction))
        }
    }

    /// Checks the password of a signed-in account, and counts the try for that device.
    package func verify(
        _ password: Secret,
        of account: AccountID,
        on device: DeviceID?
    ) async throws -> PasswordOutcome {
        try await verify(password, try await store.find(account)) { _ in LockoutSubject(account, linked: device) }
    }

    /// Checks the password of a signed-in account, and hashes `new`, which is to replace it.
    ///
    /// Both take one slot in the hasher's queue: a caller that finds room for the check finds room for the hash.
    ///
    /// - Throws: ``AccountError/weakPassword``, and no try is counted; ``PasswordHasherBusyError``; ``StoreError``.
    package func verify(
        _ password: Secret,
        of account: AccountID,
        on device: DeviceID?,
        toSet new: Secret
    ) async throws -> PasswordOutcome {
        guard Self.isStrong(new) else { throw AccountError.weakPassword }
        return try await verify(password, try await store.find(account), toSet: new) { _ in
            LockoutSubject(account, linked: device)
        }
    }

    private func verify(
        _ password: Secret,
        _ record: AccountRecord?,
        toSet new: Secret? = nil,
        countedAs subjectOf: @escaping @Sendable (borrowing Transaction) throws -> LockoutSubject
    ) async throws -> PasswordOutcome {
        try await hasher.withPlace { slot in
            let subject: LockoutSubject
            do { subject = try await count(subjectOf, in: slot) } catch let lockedOut as LockedOutError {
                return .lockedOut(lockedOut.wait)
            }
            // A password beyond the longest allowed length costs the work of a short one.
            let isBearable = password.expose().utf8.count <= 4 * Self.length.upperBound
            let hash = isBearable ? record?.passwordHash : nil
            let isRight = try await hasher.verify(isBearable ? password : Secret(""), against: hash, in: slot)
            guard isRight, let record, let hash else { return .wrong }
            var verified = VerifiedPassword(account: record.account.id, subject: subject, hash: hash)
            if let new {
                verified.successor = try await hasher.hash(new, in: slot)
            } else if hasher.isOutdated(hash) {
                verified.renewed = try await hasher.hash(password, in: slot)
            }
            return .right(verified)
        }
    }

    /// Counts a try that has a slot in the hasher's queue, and no try without a slot.
    private func count(
        _ subjectOf: @escaping @Sendable (borrowing Transaction) throws -> LockoutSubject,
        in slot: HasherSlot
    ) async throws -> LockoutSubject {
        try await unitOfWork.run { [hasher, lockouts] transaction in
            let subject = try subjectOf(transaction)
            try hasher.take(slot, isLinked: subject.isLinked)
            try lockouts.attempt(subject, in: transaction)
            return subject
        }
    }

    /// Records the success, in the unit of work of the sign-in that it allows.
    ///
    /// The tries are forgotten, and a hash with outdated parameters is replaced.
    ///
    /// - Returns: `false` if the password was changed after it was checked, or its account was disabled.
    package func confirm(_ verified: VerifiedPassword, in transaction: borrowing Transaction) throws -> Bool {
        guard let profile = try store.profile(verified.account, in: transaction), profile.account.state == .active,
            try store.passwordHash(of: verified.account, in: transaction) == verified.hash
        else { return false }
        try lockouts.succeeded(verified.subject, in: transaction)
        if let renewed = verified.renewed {
            try store.setPasswordHash(renewed, of: verified.account, in: transaction)
        }
        return true
    }

    /// Returns the hash of a chosen password.
    ///
    /// - Throws: ``AccountError/weakPassword``; ``PasswordHasherBusyError``.
    package func hash(_ password: Secret) async throws -> Secret {
        guard Self.isStrong(password) else { throw AccountError.weakPassword }
        return try await hasher.hash(password)
    }

    private static func isStrong(_ password: Secret) -> Bool { length.contains(password.expose().count) }

    /// Replaces the verified password by the new one that came with it, in the caller's unit of work.
    ///
    /// - Returns: `false` if the old password was changed after it was checked, its account was disabled, or no new one
    ///   was given.
    package func replace(_ verified: VerifiedPassword, in transaction: borrowing Transaction) throws -> Bool {
        guard let hash = verified.successor, try confirm(verified, in: transaction) else { return false }
        try store.setPasswordHash(hash, of: verified.account, in: transaction)
        try auditLog.append(AuditRecord(AccountAuditEvent.passwordChanged, of: verified.account), in: transaction)
        return true
    }

    /// Replaces the account's password after a proof of its mailbox, in the caller's unit of work.
    ///
    /// - Returns: `false` if the account is disabled.
    package func reset(_ hash: Secret, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        guard try store.profile(account, in: transaction)?.account.state == .active else { return false }
        try store.setPasswordHash(hash, of: account, in: transaction)
        try auditLog.append(
            AuditRecord(AccountAuditEvent.passwordChanged, of: account, detail: "after a mailed code"),
            in: transaction
        )
        return true
    }

    /// Whether the account has a password, in the caller's unit of work.
    package func hasPassword(_ account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        try store.passwordHash(of: account, in: transaction) != nil
    }

    /// Gives an account its first password, in the caller's unit of work; returns `false` if it has one by now.
    package func set(_ hash: Secret, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        guard try store.passwordHash(of: account, in: transaction) == nil else { return false }
        try store.setPasswordHash(hash, of: account, in: transaction)
        try auditLog.append(
            AuditRecord(AccountAuditEvent.passwordChanged, of: account, detail: "the first"),
            in: transaction
        )
        return true
    }
}

/// The outcome of checking a password.
package enum PasswordOutcome: Sendable, Equatable {
    case right(VerifiedPassword)
    /// The password is wrong, or the account has none, or the address is unknown.
    case wrong
    /// Too many tries were wrong, and this try was not checked.
    case lockedOut(Duration)
}

/// A password that was right when it was checked.
package struct VerifiedPassword: Sendable, Equatable {
    package let account: AccountID
    let subject: LockoutSubject
    let hash: Secret
    /// The password's hash with today's parameters, if the stored hash has others.
    var renewed: Secret?
    /// The hash of the new password, if one was given.
    var successor: Secret?
}
