import Accounts
import Audit
import Kernel
import Operations

/// What the engine reports, as rows of the audit.
struct OperationJournalAdapter: OperationJournal {
    let chain: AuditChain

    func record(_ entry: OperationJournalEntry, in transaction: borrowing Transaction) throws {
        try chain.append(
            AuditEntry(
                at: entry.at,
                fact: entry.fact.rawValue,
                subject: entry.operation.description,
                account: entry.account,
                detail: entry.detail
            ),
            in: transaction
        )
    }

    func record(_ tally: OperationTally, in transaction: borrowing Transaction) throws {
        try chain.append(
            AuditEntry(
                at: tally.at,
                fact: "operations.tally",
                subject: Composition.node,
                account: nil,
                detail: tally.text
            ),
            in: transaction
        )
    }
}

/// What happens to accounts, as rows of the audit.
struct AccountJournalAdapter: AccountJournal {
    let chain: AuditChain
    let facts: Facts

    func record(
        _ fact: AccountFact,
        of account: AccountID,
        detail: String?,
        in transaction: borrowing Transaction
    ) throws {
        try chain.append(
            AuditEntry(
                at: facts.now(),
                fact: fact.rawValue,
                subject: account.description,
                account: account,
                detail: detail
            ),
            in: transaction
        )
    }
}
