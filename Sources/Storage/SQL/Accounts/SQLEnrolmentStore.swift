package import Accounts
package import Kernel

/// The store of face enrolments.
package struct SQLEnrolmentStore: EnrolmentStore {
    package init() {}

    package func find(
        _ account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> Enrolment? {
        try transaction.connection().first(
            "SELECT reference, state, version FROM enrolments WHERE account = ? AND provider = ?",
            [account.column, provider.column]
        ) { try $0.enrolment(at: provider) }
    }

    package func face(
        of account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> FaceInForce? {
        try transaction.connection().first(
            """
            SELECT \(SQLDescentStore.faceMark) AS mark, origin FROM enrolments
            WHERE account = ? AND provider = ? AND state = 'active'
            """,
            [account.column, provider.column]
        ) { FaceInForce(mark: try $0.text("mark"), origin: try $0.optionalID("origin")) }
    }

    package func insert(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "INSERT INTO enrolments (account, provider, reference, state, version) VALUES (?, ?, ?, ?, ?)",
            [
                account.column, enrolment.provider.column, enrolment.reference.column, enrolment.state,
                enrolment.version.column,
            ]
        )
    }

    package func setActive(
        _ isActive: Bool,
        _ account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE enrolments SET state = ?1, version = version + 1
            WHERE account = ?2 AND provider = ?3 AND 'active' IN (state, ?1)
            """,
            [(isActive ? "active" : "revoked").column, account.column, provider.column]
        ) == 1
    }
}
