package import Kernel

/// Signing in with a password, and setting one.
///
/// A password that is wrong, that an account does not have, or that is for an address that nobody has costs the same
/// work and counts alike (``Lockouts``): neither the answer nor its time tells who has an account. A try that finds no
/// place in the hasher's queue was not looked at, and counts for nothing: else who fills the queue would lock owners out.
package struct PasswordService: Sendable {
    /// How many characters one has.
    package static let length = 12...1024

    private let unitOfWork: any UnitOfWork
    private let store: any AccountStore
    private let auditLog: any AuditLog
    private let lockouts: Lockouts
    private let hasher: PasswordHasher
    private let standIn: @Sendable (EmailAddress) -> AccountID

    /// `standIn`: in the place of an account, for an address that nobody has.
    package init(
        unitOfWork: any UnitOfWork,
        store: any AccountStore,
        auditLog: any AuditLog,
        lockouts: Lockouts,
        hasher: PasswordHasher,
        standIn: @escaping @Sendable (EmailAddress) -> AccountID
    ) {
        self.unitOfWork = unitOfWork
        self.store = store
        self.auditLog = auditLog
        self.lockouts = lockouts
        self.hasher = hasher
        self.standIn = standIn
    }

    /// Checks a password for an address.
    ///
    /// `linked`: the account's own device that the caller proves, whose tries are counted apart.
    ///
    /// - Throws: ``PasswordHasherBusyError``, ``StoreError``.
    package func verify(
        _ password: Secret,
        of email: EmailAddress,
        linked: @escaping @Sendable (AccountID, borrowing Transaction) throws -> DeviceID?
    ) async throws -> PasswordOutcome {
        let record = try await store.find(email: email)
        // As codes are counted: an address whose account is disabled is nobody's either.
        let owner = record.flatMap { $0.account.state == .active ? $0.account.id : nil } ?? standIn(email)
        return try await verify(password, record) { transaction in
            LockoutSubject(owner, linked: try linked(owner, transaction))
        }
    }

    /// Checks the password of an account that is signed in, on that device.
    package func verify(
        _ password: Secret,
        of account: AccountID,
        on device: DeviceID?
    ) async throws -> PasswordOutcome {
        try await verify(password, try await store.find(account)) { _ in LockoutSubject(account, linked: device) }
    }

    /// Checks the password of an account that is signed in, on that device, and hashes `new`, which is to take its place,
    /// in the same place of the hasher's queue: who finds room for the one finds room for the other.
    ///
    /// - Throws: ``AccountError/weakPassword``, and nothing counts; ``PasswordHasherBusyError``; ``StoreError``.
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
        try await hasher.withPlace { place in
            let subject: LockoutSubject
            do { subject = try await count(subjectOf, in: place) } catch let lockedOut as LockedOutError {
                return .lockedOut(lockedOut.wait)
            }
            // One that is too long to be anybody's costs the work of a short one.
            let isBearable = password.expose().utf8.count <= 4 * Self.length.upperBound
            let hash = isBearable ? record?.passwordHash : nil
            let isRight = try await hasher.verify(isBearable ? password : Secret(""), against: hash, in: place)
            guard isRight, let record, let hash else { return .wrong }
            var verified = VerifiedPassword(account: record.account.id, subject: subject, hash: hash)
            if let new {
                verified.successor = try await hasher.hash(new, in: place)
            } else if hasher.isOutdated(hash) {
                verified.renewed = try await hasher.hash(password, in: place)
            }
            return .right(verified)
        }
    }

    /// Counts a try that has a place in the hasher's queue; one that gets none counts for nothing.
    private func count(
        _ subjectOf: @escaping @Sendable (borrowing Transaction) throws -> LockoutSubject,
        in place: HasherSlot
    ) async throws -> LockoutSubject {
        try await unitOfWork.run { [hasher, lockouts] transaction in
            let subject = try subjectOf(transaction)
            try hasher.take(place, isLinked: subject.isLinked)
            try lockouts.attempt(subject, in: transaction)
            return subject
        }
    }

    /// Takes the success in, in the unit of work of what it is good for: the tries are forgotten, and a hash of old
    /// parameters is replaced.
    ///
    /// `false` if the password was changed since it was checked, or its account shut.
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

    /// The hash of a password that somebody chose.
    /// - Throws: ``AccountError/weakPassword``; ``PasswordHasherBusyError``.
    package func hash(_ password: Secret) async throws -> Secret {
        guard Self.isStrong(password) else { throw AccountError.weakPassword }
        return try await hasher.hash(password)
    }

    private static func isStrong(_ password: Secret) -> Bool { length.contains(password.expose().count) }

    /// Replaces the password that was proved by the one that was named with it, in the caller's unit of work.
    ///
    /// `false` if the old one was changed since it was checked, or its account shut, or no new one was named.
    package func replace(_ verified: VerifiedPassword, in transaction: borrowing Transaction) throws -> Bool {
        guard let hash = verified.successor, try confirm(verified, in: transaction) else { return false }
        try store.setPasswordHash(hash, of: verified.account, in: transaction)
        try auditLog.append(AuditRecord(AccountAuditEvent.passwordChanged, of: verified.account), in: transaction)
        return true
    }

    /// Gives the account of somebody who has just read its mail a password, in the place of any, in the caller's unit of
    /// work; `false` if it is shut.
    package func reset(
        _ hash: Secret,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
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

    /// Gives an account its first password, in the caller's unit of work; `false` if it has one by now.
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

/// What a password is.
package enum PasswordOutcome: Sendable, Equatable {
    case right(VerifiedPassword)
    /// It is wrong, or there is none, or nobody has that address.
    case wrong
    /// Too many were wrong; this one was not looked at.
    case lockedOut(Duration)
}

/// A password that was right when it was looked at.
package struct VerifiedPassword: Sendable, Equatable {
    package let account: AccountID
    let subject: LockoutSubject
    let hash: Secret
    /// The same password's, with the parameters of today, where the hash has others.
    var renewed: Secret?
    /// The hash of the password that is to take its place, where one was named.
    var successor: Secret?
}
