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
                account.id.column, account.displayName.column, account.state.rawValue.column,
                record.passwordHash.column { $0.expose().column }, account.createdAt.column,
            ]
        )
        for (name, value) in account.attributes.given {
            try writer.change(
                "INSERT INTO account_attributes (account, name, value) VALUES (?, ?, ?)",
                [account.id.column, name.column, value.column]
            )
        }
        for email in record.emails { try insert(email, account.id, writer) }
        if let username = record.username { try insert(username, account.id, writer) }
        if let claim = record.claim {
            try writer.change(
                "INSERT INTO address_claims (account, value, claimed_at) VALUES (?, ?, ?)",
                [account.id.column, claim.text.column, account.createdAt.column]
            )
        }
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

    package func account(named username: Username, in transaction: borrowing Transaction) throws -> AccountID? {
        try transaction.database().first(
            "SELECT account FROM identifiers WHERE kind = 'username' AND value = ?",
            [username.text.column]
        ) { try $0.id() }
    }

    package func list(limit: Int) async throws -> [AccountRecord] {
        try await database.read { reader in
            try reader.rows("SELECT id FROM accounts ORDER BY created_at DESC, id LIMIT ?", [limit])
                .compactMap { try Self.record($0.id("id"), reader) }
        }
    }

    package func profile(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        try transaction.database().first(
            """
            SELECT display_name, state, created_at,
                COALESCE(identifiers.value, (SELECT value FROM address_claims WHERE account = accounts.id)),
                identifiers.is_verified,
                (SELECT value FROM identifiers AS names WHERE account = accounts.id AND kind = 'username'),
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'role'),
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'accessLevel'),
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'department'),
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'walletId')
            FROM accounts LEFT JOIN identifiers
                ON identifiers.kind = 'email' AND identifiers.value =
                    (SELECT MIN(value) FROM identifiers WHERE account = accounts.id AND kind = 'email')
            WHERE accounts.id = ?
            """,
            [id.column]
        ) { columns in
            let name = try columns.text()
            let state = try columns.value(Account.State.self)
            let createdAt = try columns.instant()
            let email = columns.optionalText().flatMap { EmailAddress($0) }
            let isVerified = columns.optionalInteger() == 1
            let username = columns.optionalText().flatMap { Username($0) }
            var given: [String: String] = [:]
            for name in ["role", "accessLevel", "department", "walletId"] { given[name] = columns.optionalText() }
            let account = Account(
                id: id,
                displayName: name,
                state: state,
                attributes: AccountAttributes(given),
                createdAt: createdAt
            )
            return AccountProfile(account: account, email: email, isEmailVerified: isVerified, username: username)
        }
    }

    package func candidate(
        email: EmailAddress,
        provider: String,
        in transaction: borrowing Transaction
    ) throws -> LoginCandidate? {
        try transaction.database().first(
            """
            SELECT accounts.id, accounts.state, enrolments.state FROM identifiers
            JOIN accounts ON accounts.id = identifiers.account
            LEFT JOIN enrolments ON enrolments.account = accounts.id AND enrolments.provider = ?
            WHERE identifiers.kind = 'email' AND identifiers.value = ?
            """,
            [provider.column, email.text.column]
        ) { columns in
            LoginCandidate(
                account: try columns.id(),
                state: try columns.value(),
                isEnrolled: columns.optionalText() == "active"
            )
        }
    }

    package func setState(
        _ state: Account.State,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.database().change(
            "UPDATE accounts SET state = ?1 WHERE id = ?2 AND state <> ?1",
            [state.rawValue.column, id.column]
        ) == 1
    }

    func insert(_ email: VerifiedEmail, _ account: AccountID, _ writer: Database) throws {
        guard
            try writer.change(
                """
                INSERT INTO identifiers (kind, value, account, is_verified) VALUES ('email', ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                [email.address.text.column, account.column, email.isVerified.column]
            ) == 1
        else { throw AccountFault.emailTaken(email.address.text) }
    }

    private func insert(_ username: Username, _ account: AccountID, _ writer: Database) throws {
        guard
            try writer.change(
                """
                INSERT INTO identifiers (kind, value, account, is_verified) VALUES ('username', ?, ?, 1)
                ON CONFLICT DO NOTHING
                """,
                [username.text.column, account.column]
            ) == 1
        else { throw AccountFault.usernameTaken }
    }

    package func put(
        _ enrolment: Enrolment,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.database()
        let row = try writer.row(
            "SELECT state FROM enrolments WHERE account = ? AND provider = ?",
            [account.column, enrolment.provider.column]
        )
        guard let state = try row?.text("state") else { return try insert(enrolment, account, writer) }
        guard state != "active" else { throw AccountFault.enrolledAlready(enrolment.provider) }
        let other = try writer.row(
            "SELECT 1 FROM enrolments WHERE provider = ? AND reference = ? AND account <> ?",
            [enrolment.provider.column, enrolment.reference.column, account.column]
        )
        guard other == nil else { throw AccountFault.providerAccountTaken(enrolment.reference) }
        try writer.change(
            """
            UPDATE enrolments
            SET reference = ?, state = ?, version = version + 1, origin = NULL, origin_methods = NULL
            WHERE account = ? AND provider = ?
            """,
            [
                enrolment.reference.column, (enrolment.isActive ? "active" : "revoked").column, account.column,
                enrolment.provider.column,
            ]
        )
    }

    private func insert(_ enrolment: Enrolment, _ account: AccountID, _ writer: Database) throws {
        guard
            try writer.change(
                """
                INSERT INTO enrolments (account, provider, reference, state, version) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                [
                    account.column, enrolment.provider.column, enrolment.reference.column,
                    (enrolment.isActive ? "active" : "revoked").column, enrolment.version.column,
                ]
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
            "SELECT provider, reference, state, version FROM enrolments WHERE account = ? ORDER BY provider",
            [id.column]
        )
        let claim = try reader.row("SELECT value FROM address_claims WHERE account = ?", [id.column])
        let username = try reader.row(
            "SELECT value FROM identifiers WHERE account = ? AND kind = 'username'",
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
            username: try username.flatMap { Username(try $0.text("value")) },
            claim: try claim.flatMap { EmailAddress(try $0.text("value")) },
            enrolments: try enrolments.map { row in
                Enrolment(
                    provider: try row.text("provider"),
                    reference: try row.text("reference"),
                    isActive: row.optionalText("state") == "active",
                    version: try row.integer("version")
                )
            },
            passwordHash: row.optionalText("password_hash").map(Secret.init)
        )
    }
}
