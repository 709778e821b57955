package import Accounts
import GRDB
package import Kernel

/// Accounts in SQLite.
package struct SQLiteAccountStore: AccountStore {
    private let database: SQLiteDatabase

    package init(_ database: SQLiteDatabase) { self.database = database }

    package func insert(_ record: AccountRecord, in transaction: borrowing Transaction) throws {
        let writer = try transaction.database()
        let account = record.account
        try writer.change(
            "INSERT INTO accounts (id, display_name, state, password_hash, created_at) VALUES (?, ?, ?, ?, ?)",
            [
                account.id.column, account.displayName, account.state.rawValue,
                record.passwordHash.map { $0.expose() }, account.createdAt.milliseconds,
            ]
        )
        for (name, value) in account.attributes.given {
            try writer.change(
                "INSERT INTO account_attributes (account, name, value) VALUES (?, ?, ?)",
                [account.id.column, name, value]
            )
        }
        for email in record.emails { try insert(email, account.id, writer) }
        for enrolment in record.enrolments { try insert(enrolment, account.id, writer) }
    }

    package func find(_ id: AccountID) async throws -> AccountRecord? {
        try await database.read { try Self.record(id, $0) }
    }

    package func find(email: EmailAddress) async throws -> AccountRecord? {
        try await database.read { reader in
            guard
                let row = try reader.row(
                    "SELECT account FROM identifiers WHERE kind = 'email' AND value = ?",
                    [email.text]
                )
            else { return nil }
            return try Self.record(row.id("account"), reader)
        }
    }

    package func list(limit: Int) async throws -> [AccountRecord] {
        try await database.read { reader in
            try reader.rows("SELECT id FROM accounts ORDER BY created_at DESC, id LIMIT ?", [limit])
                .compactMap { try Self.record($0.id("id"), reader) }
        }
    }

    package func profile(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        let row = try transaction.database().row(
            """
            SELECT display_name, state, created_at,
                (SELECT MIN(value) FROM identifiers WHERE account = accounts.id AND kind = 'email') AS email,
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'role') AS role,
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'accessLevel')
                    AS accessLevel,
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'department')
                    AS department
            FROM accounts WHERE id = ?
            """,
            [id.column]
        )
        return try row.map { row in
            let names = AccountAttributes.defaults.keys
            let given = names.compactMap { name in row.optionalText(name).map { (name, $0) } }
            let account = Account(
                id: id,
                displayName: try row.text("display_name"),
                state: try row.value("state"),
                attributes: AccountAttributes(Dictionary(given) { first, _ in first }),
                createdAt: try row.instant("created_at")
            )
            return AccountProfile(account: account, email: row.optionalText("email").flatMap { EmailAddress($0) })
        }
    }

    package func candidate(
        email: EmailAddress,
        provider: String,
        in transaction: borrowing Transaction
    ) throws -> LoginCandidate? {
        let row = try transaction.database().row(
            """
            SELECT accounts.id, accounts.state, enrolments.state AS enrolment FROM identifiers
            JOIN accounts ON accounts.id = identifiers.account
            LEFT JOIN enrolments ON enrolments.account = accounts.id AND enrolments.provider = ?
            WHERE identifiers.kind = 'email' AND identifiers.value = ?
            """,
            [provider, email.text]
        )
        return try row.map { row in
            LoginCandidate(
                account: try row.id("id"),
                state: try row.value("state"),
                isEnrolled: row.optionalText("enrolment") == "active"
            )
        }
    }

    package func setState(
        _ state: Account.State,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.database().change(
            "UPDATE accounts SET state = ? WHERE id = ?",
            [state.rawValue, id.column]
        ) == 1
    }

    private func insert(_ email: VerifiedEmail, _ account: AccountID, _ writer: Database) throws {
        guard
            try writer.change(
                """
                INSERT INTO identifiers (kind, value, account, is_verified) VALUES ('email', ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                [email.address.text, account.column, email.isVerified ? 1 : 0]
            ) == 1
        else { throw AccountFault.emailTaken(email.address.text) }
    }

    private func insert(_ enrolment: Enrolment, _ account: AccountID, _ writer: Database) throws {
        guard
            try writer.change(
                """
                INSERT INTO enrolments (account, provider, reference, state) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                [account.column, enrolment.provider, enrolment.reference, enrolment.isActive ? "active" : "revoked"]
            )
                == 1
        else { throw AccountFault.providerAccountTaken(enrolment.reference) }
    }

    private static func record(_ id: AccountID, _ reader: Database) throws -> AccountRecord? {
        guard
            let row = try reader.row(
                "SELECT display_name, state, password_hash, created_at FROM accounts WHERE id = ?",
                [id.column]
            )
        else { return nil }
        let attributes = try reader.rows("SELECT name, value FROM account_attributes WHERE account = ?", [id.column])
        let emails = try reader.rows(
            "SELECT value, is_verified FROM identifiers WHERE account = ? AND kind = 'email' ORDER BY value",
            [id.column]
        )
        let enrolments = try reader.rows(
            "SELECT provider, reference, state FROM enrolments WHERE account = ? ORDER BY provider",
            [id.column]
        )
        let given = try attributes.map { (try $0.text("name"), try $0.text("value")) }
        return AccountRecord(
            account: Account(
                id: id,
                displayName: try row.text("display_name"),
                state: try row.value("state"),
                attributes: AccountAttributes(Dictionary(given) { first, _ in first }),
                createdAt: try row.instant("created_at")
            ),
            emails: try emails.compactMap { row in
                EmailAddress(try row.text("value")).map {
                    VerifiedEmail(address: $0, isVerified: (try? row.integer("is_verified")) == 1)
                }
            },
            enrolments: try enrolments.map { row in
                Enrolment(
                    provider: try row.text("provider"),
                    reference: try row.text("reference"),
                    isActive: row.optionalText("state") == "active"
                )
            },
            passwordHash: row.optionalText("password_hash").map(Secret.init)
        )
    }
}
