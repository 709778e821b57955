package import Kernel

/// The use cases by which owners and operators list, rename and remove passkeys.
package struct OwnedPasskeys: Sendable {
    /// The most passkeys of an account.
    package static let mostOwned = 50

    private let unitOfWork: any UnitOfWork
    private let store: any PasskeyStore
    private let people: any PasskeyPeople
    private let auditLog: any AuditLog
    private let notices: any PasskeyNotices
    private let ending: any PasskeyEnding

    package init(
        unitOfWork: any UnitOfWork,
        store: any PasskeyStore,
        people: any PasskeyPeople,
        auditLog: any AuditLog,
        notices: any PasskeyNotices,
        ending: any PasskeyEnding
    ) {
        self.unitOfWork = unitOfWork
        self.store = store
        self.people = people
        self.auditLog = auditLog
        self.notices = notices
        self.ending = ending
    }

    /// Returns the account's passkeys, the oldest first.
    package func list(of account: AccountID) async throws -> [Passkey] {
        try await store.list(of: account, limit: Self.mostOwned)
    }

    /// Returns the number of the account's passkeys, in the caller's unit of work.
    package func count(of account: AccountID, in transaction: borrowing Transaction) throws -> Int {
        try store.list(of: account, limit: Self.mostOwned, in: transaction).count
    }

    /// Returns the passkeys of all accounts, the newest account first.
    package func listAccounts(limit: Int) async throws -> [ListedPasskeys] {
        try await store.listAccounts(limit: limit)
    }

    /// Renames the passkey, in the caller's unit of work, in which the caller has checked that the session is active.
    ///
    /// - Throws: ``PasskeyError/notFound`` if the account has no such passkey.
    package func rename(
        _ id: PasskeyID,
        of account: AccountID,
        to label: String,
        in transaction: borrowing Transaction
    ) throws {
        guard try store.rename(id, of: account, to: label, in: transaction) else { throw PasskeyError.notFound }
    }

    /// Removes the passkey for its owner, and ends the sessions that began with it, in the caller's unit of work.
    ///
    /// The caller has checked there that the removing session is active, and calls ``settle(removedFrom:)`` once the
    /// removal is durable. The owner is told by mail.
    ///
    /// `session`: the removing session, which stays active even if it began with the passkey. `client`: the client in
    /// which the removal is made. `requester`: the person behind it, for the mail.
    ///
    /// - Throws: ``PasskeyError/notFound`` if the account has no such passkey; ``PasskeyError/last`` if the passkey is
    ///   the only way to sign in.
    package func remove(
        _ id: PasskeyID,
        of account: AccountID,
        by session: SessionID,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws {
        let owned = try store.list(of: account, limit: Self.mostOwned, in: transaction)
        guard owned.contains(where: { $0.id == id }) else { throw PasskeyError.notFound }
        let hasOtherWay = try people.person(account, in: transaction)?.hasOtherWay ?? false
        guard owned.count > 1 || hasOtherWay else { throw PasskeyError.last }
        _ = try store.remove(id, of: account, in: transaction)
        try auditLog.append(AuditRecord(PasskeyAuditEvent.removed, of: id, account: account), in: transaction)
        try ending.end(id, of: account, except: session, in: transaction)
        try notices.notify(.removed, of: account, client: client, requester: requester, in: transaction)
    }

    /// Returns the account of a passkey; `nil` if the passkey is unknown.
    package func owner(of id: PasskeyID) async throws -> AccountID? {
        try await unitOfWork.read { [store] in try store.find(id, in: $0)?.account }
    }

    /// Removes the passkey of any account, even the last one, and ends all sessions that began with it; returns `nil`
    /// if the passkey is unknown.
    package func remove(_ id: PasskeyID) async throws -> Passkey? {
        let removed: Passkey? = try await unitOfWork.run { [store, auditLog, ending] transaction in
            guard let found = try store.find(id, in: transaction),
                try store.remove(id, of: found.account, in: transaction)
            else { return nil }
            try auditLog.append(AuditRecord(PasskeyAuditEvent.removed, of: id, account: found.account), in: transaction)
            try ending.end(id, of: found.account, except: nil, in: transaction)
            return found
        }
        if let account = removed?.account { try await settle(removedFrom: account) }
        return removed
    }

    /// Ends the cached operations of the ended sessions, once the removal is durable.
    package func settle(removedFrom account: AccountID) async throws {
        try await ending.settle(removedPasskeyOf: account)
    }

    /// Removes all passkeys of the account except `kept`, in the caller's unit of work; the caller ends the sessions.
    package func removeAll(
        of account: AccountID,
        except kept: PasskeyID? = nil,
        in transaction: borrowing Transaction
    ) throws {
        for passkey in try store.list(of: account, limit: Self.mostOwned, in: transaction)
        where try passkey.id != kept && store.remove(passkey.id, of: account, in: transaction) {
            try auditLog.append(
                AuditRecord(PasskeyAuditEvent.removed, of: passkey.id, account: account),
                in: transaction
            )
        }
    }
}
