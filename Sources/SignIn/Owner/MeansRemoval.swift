package import Accounts
package import Kernel
package import Passkeys

/// A way to sign in can't be removed, because the account has no other.
package struct LastWayInError: Error {
    package init() {}
}

/// Removes the password or the face of a person, who has to keep another way in.
///
/// Sessions stay. The person is told by mail.
package struct MeansRemoval: Sendable {
    /// The person who removes a means, and the session that asks.
    package struct Person: Sendable {
        let account: AccountID
        let session: SessionID
        let client: String
        let requester: Requester

        package init(account: AccountID, session: SessionID, client: String, requester: Requester) {
            self.account = account
            self.session = session
            self.client = client
            self.requester = requester
        }
    }

    private let accounts: any AccountStore
    private let enrolments: any EnrolmentStore
    private let passkeys: OwnedPasskeys
    private let ending: EndingService
    private let notices: OwnerNotices
    private let auditLog: any AuditLog

    package init(
        accounts: any AccountStore,
        enrolments: any EnrolmentStore,
        passkeys: OwnedPasskeys,
        ending: EndingService,
        notices: OwnerNotices,
        auditLog: any AuditLog
    ) {
        self.accounts = accounts
        self.enrolments = enrolments
        self.passkeys = passkeys
        self.ending = ending
        self.notices = notices
        self.auditLog = auditLog
    }

    /// Returns the ways in which the account's person can sign in; none for an unknown account.
    package func ways(of account: AccountID) async throws -> WaysIn {
        guard let record = try await accounts.find(account) else { return WaysIn() }
        return WaysIn(record, passkeys: try await passkeys.list(of: account).count)
    }

    /// Removes the password.
    ///
    /// - Returns: `false` if the account has none.
    /// - Throws: ``LastWayInError``; ``SessionEndedError``; ``StoreError``.
    package func removePassword(_ person: Person) async throws -> Bool {
        try await ending.unitOfWork.run { [self] transaction in
            try ending.check(person.session, of: person.account, in: transaction)
            let ways = try ways(of: person.account, in: transaction)
            guard ways.hasPassword else { return false }
            guard ways.survivePassword else { throw LastWayInError() }
            try ending.store.end(.password, .account(person.account, except: nil), in: transaction)
            try note(.passwordRemoved, .passwordRemoved, of: person, in: transaction)
            return true
        }
    }

    /// Withdraws the person's face at every provider: no scan signs them in.
    ///
    /// - Returns: `false` if no face was in force.
    /// - Throws: ``LastWayInError``; ``SessionEndedError``; ``StoreError``.
    package func withdrawFace(_ person: Person) async throws -> Bool {
        let providers = try await accounts.find(person.account)?.enrolments.filter(\.isActive).map(\.provider) ?? []
        return try await ending.unitOfWork.run { [self] transaction in
            try ending.check(person.session, of: person.account, in: transaction)
            guard try ways(of: person.account, in: transaction).surviveFace else { throw LastWayInError() }
            var isWithdrawn = false
            for provider in providers {
                isWithdrawn =
                    try enrolments.setActive(false, person.account, at: provider, in: transaction) || isWithdrawn
            }
            if isWithdrawn { try note(.faceWithdrawn, .faceWithdrawn, of: person, in: transaction) }
            return isWithdrawn
        }
    }

    /// Returns the ways but for the face, in the unit of work of a removal.
    private func ways(of account: AccountID, in transaction: borrowing Transaction) throws -> WaysIn {
        var ways = WaysIn()
        ways.passkeys = try passkeys.count(of: account, in: transaction)
        ways.hasPassword = try accounts.passwordHash(of: account, in: transaction) != nil
        ways.hasMailbox = try accounts.profile(account, in: transaction)?.isEmailVerified ?? false
        return ways
    }

    private func note(
        _ event: AccountAuditEvent,
        _ notice: AccountNotice,
        of person: Person,
        in transaction: borrowing Transaction
    ) throws {
        try auditLog.append(AuditRecord(event, of: person.account), in: transaction)
        try notices.notify(
            notice,
            of: person.account,
            client: person.client,
            requester: person.requester,
            in: transaction
        )
    }
}
