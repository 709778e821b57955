package import Accounts
package import Kernel

/// Closes an account for its owner, and notes that they took their data along.
package struct AccountClosing: Sendable {
    private let accounts: any AccountStore
    private let ending: EndingService
    private let notices: OwnerNotices
    private let auditLog: any AuditLog

    package init(
        accounts: any AccountStore,
        ending: EndingService,
        notices: OwnerNotices,
        auditLog: any AuditLog
    ) {
        self.accounts = accounts
        self.ending = ending
        self.notices = notices
        self.auditLog = auditLog
    }

    /// Ends all access to the account and deletes what names its person, in one unit of work.
    ///
    /// The address is told first, and is free for another account afterwards.
    /// - Throws: ``SessionEndedError``; ``StoreError``.
    package func close(_ person: MeansRemoval.Person) async throws {
        try await ending.unitOfWork.run { [self] transaction in
            let account = person.account
            try ending.check(person.session, of: account, in: transaction)
            try notices.notify(
                .accountClosed,
                of: account,
                client: person.client,
                requester: person.requester,
                in: transaction
            )
            try ending.end(.accountClosed, of: account, in: transaction)
            try accounts.close(account, in: transaction)
            try auditLog.append(AuditRecord(AccountAuditEvent.closed, of: account), in: transaction)
        }
        try await ending.settle(.accountClosed, of: person.account)
    }

    /// Notes that the person has downloaded the account's data.
    ///
    /// - Throws: ``SessionEndedError``; ``StoreError``.
    package func noteDownload(of account: AccountID, by session: SessionID) async throws {
        try await ending.unitOfWork.run { [ending, auditLog] transaction in
            try ending.check(session, of: account, in: transaction)
            try auditLog.append(AuditRecord(AccountAuditEvent.dataDownloaded, of: account), in: transaction)
        }
    }
}
