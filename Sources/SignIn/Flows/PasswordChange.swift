package import Accounts
package import Kernel
package import Sessions

/// Changes a password, and ends the access that an attacker may have by the previous password.
package struct PasswordChange: Sendable {
    /// A new password, and the reason why the person may set it.
    package enum Entitlement: Sendable {
        /// The old password was right.
        case replacing(VerifiedPassword)
        /// A mailed code was right, for a person who forgot the old password. The value is the new password's hash.
        case resetting(Secret)
        /// The account has no password yet. The value is the new password's hash.
        case setting(Secret)
    }

    /// The person who changes the password, and their session.
    package struct Person: Sendable {
        let account: AccountID
        let client: String
        let kept: KeptAccess
        let requester: Requester

        package init(account: AccountID, client: String, keeping kept: KeptAccess, requester: Requester) {
            self.account = account
            self.client = client
            self.kept = kept
            self.requester = requester
        }
    }

    private let passwords: PasswordService
    private let sessions: SessionService
    private let access: any AccountAccess
    private let descents: any DescentLinks
    private let linked: LinkedDevices
    private let notices: OwnerNotices
    private let unitOfWork: any UnitOfWork

    package init(
        passwords: PasswordService,
        sessions: SessionService,
        access: any AccountAccess,
        descents: any DescentLinks,
        linked: LinkedDevices,
        notices: OwnerNotices,
        unitOfWork: any UnitOfWork
    ) {
        self.passwords = passwords
        self.sessions = sessions
        self.access = access
        self.descents = descents
        self.linked = linked
        self.notices = notices
        self.unitOfWork = unitOfWork
    }

    /// Checks the password that is to be replaced.
    ///
    /// Attempts are counted for the device that the request proves. A device that the session only names does
    /// not count as evidence: an attacker with the session could lock the owner's own device out.
    package func verify(
        _ password: Secret,
        of account: AccountID,
        client: String,
        shown: PresentedDevice,
        toSet new: Secret
    ) async throws -> PasswordOutcome {
        let device = try await unitOfWork.read { [linked] transaction in
            try linked.device(provedBy: shown, of: account, client: client, in: transaction)
        }
        return try await passwords.verify(password, of: account, on: device, toSet: new)
    }

    package func hasPassword(_ account: AccountID) async throws -> Bool {
        try await unitOfWork.read { [passwords] in try passwords.hasPassword(account, in: $0) }
    }

    package func hash(_ password: Secret) async throws -> Secret { try await passwords.hash(password) }

    /// Sets the new password and ends all other access, in one unit of work.
    ///
    /// - Returns: `false` if the password was changed meanwhile, or not presented although there is one, or the account
    ///   is disabled.
    /// - Throws: ``SessionEndedError``; ``StoreError``.
    package func apply(_ entitlement: Entitlement, by person: Person) async throws -> Bool {
        let isDone = try await unitOfWork.run { try apply(entitlement, by: person, in: $0) }
        if isDone { try await access.settle(person.account, because: .password) }
        return isDone
    }

    private func apply(
        _ entitlement: Entitlement,
        by person: Person,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let account = person.account
        guard try sessions.isOpen(person.kept.session, of: account, in: transaction) else { throw SessionEndedError() }
        let isSet =
            switch entitlement {
            case .replacing(let verified): try passwords.replace(verified, in: transaction)
            case .resetting(let hash): try passwords.reset(hash, of: account, in: transaction)
            case .setting(let hash): try passwords.set(hash, of: account, in: transaction)
            }
        guard isSet else { return false }
        try descents.note(.password, of: account, from: person.kept.session, in: transaction)
        try access.endElsewhere(of: account, except: person.kept, because: .password, in: transaction)
        try notices.notify(
            .passwordChanged,
            of: account,
            client: person.client,
            requester: person.requester,
            in: transaction
        )
        return true
    }
}
