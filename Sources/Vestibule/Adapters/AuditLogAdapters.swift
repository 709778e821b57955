import Accounts
import Audit
import Devices
import Kernel
import Operations
import Sessions

/// What the engine reports, as rows of the audit.
struct OperationAuditLogAdapter: OperationAuditLog {
    let chain: AuditChain

    func record(_ entry: OperationAuditLogEntry, in transaction: borrowing Transaction) throws {
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
                subject: CoreFeature.node,
                account: nil,
                detail: tally.text
            ),
            in: transaction
        )
    }
}

/// How sessions begin and end, as rows of the audit.
struct SessionAuditLogAdapter: SessionAuditLog {
    let chain: AuditChain
    let facts: Facts

    func recordSignIn(_ session: Session, in transaction: borrowing Transaction) throws {
        try chain.append(
            AuditEntry(
                at: facts.now(),
                fact: "session.opened",
                subject: session.id.description,
                account: session.account,
                detail: "\(session.client): "
                    + (session.methods.isEmpty ? "new" : session.methods.joined(separator: " "))
            ),
            in: transaction
        )
    }

    func recordRevocation(
        of session: SessionID?,
        _ account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws {
        try chain.append(
            AuditEntry(
                at: facts.now(),
                fact: session == nil ? "sessions.revoked" : "session.revoked",
                subject: session?.description ?? account.description,
                account: account,
                detail: reason.rawValue
            ),
            in: transaction
        )
    }
}

/// What happens to registered devices, as rows of the audit.
struct DeviceAuditLogAdapter: DeviceAuditLog {
    let chain: AuditChain
    let facts: Facts

    func record(
        _ fact: DeviceFact,
        of device: DeviceID,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        try chain.append(
            AuditEntry(
                at: facts.now(),
                fact: fact.rawValue,
                subject: device.description,
                account: account,
                detail: nil
            ),
            in: transaction
        )
    }
}

/// What happens to accounts, as rows of the audit.
struct AccountAuditLogAdapter: AccountAuditLog {
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
