package import Accounts
package import Kernel

/// The account store.
package struct SQLAccountStore: AccountStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ record: AccountRecord, in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        let account = record.account
        try writer.change(
            """
            INSERT INTO accounts (id, display_name, folded_name, state, password_hash, created_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                account.id.column, account.displayName.column, AccountSearch.folded(account.displayName).column,
                account.state.rawValue.column, record.passwordHash.column { $0.expose().column },
                account.createdAt.column,
            ]
        )
        for (name, value) in account.attributes.given {
            try writer.change(
                "INSERT INTO account_attributes (account, name, value) VALUES (?, ?, ?)",
                [account.id.column, name.column, value.column]
            )
        }
        for email in record.emails { try insert(email, of: account.id, in: writer) }
        if let username = record.username { try insert(username, of: account.id, in: writer) }
        if let claim = record.claim {
            try writer.change(
                "INSERT INTO address_claims (account, value, claimed_at) VALUES (?, ?, ?)",
                [account.id.column, claim.text.column, account.createdAt.column]
            )
        }
        for enrolment in record.enrolments { try insert(enrolment, of: account.id, in: writer) }
    }

    package func find(_ id: AccountID) async throws -> AccountRecord? {
        try await database.read { try Self.record(id, $0) }
    }

    package func find(email: EmailAddress) async throws -> AccountRecord? {
        try await database.read { reader in
            try reader.first(
                "SELECT account FROM identifiers WHERE kind = 'email' AND value = ?",
                [email.text.column]
            ) { try $0.id("account", AccountID.self) }.flatMap { try Self.record($0, reader) }
        }
    }

    package func account(named username: Username, in transaction: borrowing Transaction) throws -> AccountID? {
        try transaction.connection().first(
            "SELECT account FROM identifiers WHERE kind = 'username' AND value = ?",
            [username.text.column]
        ) { try $0.id("account") }
    }

    package func list(limit: Int) async throws -> [AccountRecord] {
        try await database.read { reader in
            try reader.all("SELECT id FROM accounts ORDER BY created_at DESC, id LIMIT ?", [limit.column]) {
                try $0.id("id", AccountID.self)
            }.compactMap { try Self.record($0, reader) }
        }
    }

    package func list(_ search: AccountSearch) async throws -> [AccountRecord] {
        var conditions: [String] = []
        var values: [ColumnValue] = []
        if let after = search.after {
            conditions.append("created_at <= ? AND (created_at < ? OR id > ?)")
            values += [after.createdAt.column, after.createdAt.column, after.id.column]
        }
        if !search.text.isEmpty {
            conditions.append(Self.matches)
            values += [ColumnValue](repeating: search.pattern.column, count: 3)
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let sql = "SELECT id FROM accounts \(condition) ORDER BY created_at DESC, id LIMIT ?"
        values.append(search.limit.column)
        return try await database.read { [values] reader in
            try reader.all(sql, values) { try $0.id("id", AccountID.self) }.compactMap { try Self.record($0, reader) }
        }
    }

    /// Addresses and user names are stored in lower case.
    private static let matches = """
        (folded_name LIKE ? ESCAPE '~'
        OR id IN (SELECT account FROM identifiers WHERE value LIKE ? ESCAPE '~')
        OR id IN (SELECT account FROM address_claims WHERE value LIKE ? ESCAPE '~'))
        """

    package func profile(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        try transaction.connection().first(
            """
            SELECT display_name, state, created_at,
                COALESCE(identifiers.value, (SELECT value FROM address_claims WHERE account = accounts.id)) AS email,
                identifiers.is_verified,
                (SELECT value FROM identifiers AS names WHERE account = accounts.id AND kind = 'username') AS username,
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'role') AS role,
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'accessLevel')
                    AS "accessLevel",
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'department') AS department,
                (SELECT value FROM account_attributes WHERE account = accounts.id AND name = 'walletId') AS "walletId"
            FROM accounts LEFT JOIN identifiers
                ON identifiers.kind = 'email' AND identifiers.value =
                    (SELECT MIN(value) FROM identifiers WHERE account = accounts.id AND kind = 'email')
            WHERE accounts.id = ?
            """,
            [id.column]
        ) { columns in
            let (name, state) = (try columns.text("display_name"), try columns.value("state", Account.State.self))
            let createdAt = try columns.instant("created_at")
            let email = try columns.optionalText("email").flatMap { EmailAddress($0) }
            let isVerified = try columns.optionalInteger("is_verified") == 1
            let username = try columns.optionalText("username").flatMap { Username($0) }
            var given: [String: String] = [:]
            for name in ["role", "accessLevel", "department", "walletId"] as [StaticString] {
                given["\(name)"] = try columns.optionalText(name)
            }
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
        try transaction.connection().first(
            """
            SELECT accounts.id, accounts.state, enrolments.state AS enrolment FROM identifiers
            JOIN accounts ON accounts.id = identifiers.account
            LEFT JOIN enrolments ON enrolments.account = accounts.id AND enrolments.provider = ?
            WHERE identifiers.kind = 'email' AND identifiers.value = ?
            """,
            [provider.column, email.text.column]
        ) { columns in
            LoginCandidate(
                account: try columns.id("id"),
                state: try columns.value("state"),
                isEnrolled: try columns.optionalText("enrolment") == "active"
            )
        }
    }

    package func setState(
        _ state: Account.State,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            "UPDATE accounts SET state = ?1 WHERE id = ?2 AND state <> ?1",
            [state.rawValue.column, id.column]
        ) == 1
    }

    func insert(_ email: VerifiedEmail, of account: AccountID, in writer: SQLConnection) throws {
        guard try writer.insert("email", email.address.text, of: account, isVerified: email.isVerified) else {
            throw AccountError.emailTaken(email.address.text)
        }
    }

    private func insert(_ username: Username, of account: AccountID, in writer: SQLConnection) throws {
        guard try writer.insert("username", username.text, of: account, isVerified: true) else {
            throw AccountError.usernameTaken
        }
    }

    package func put(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        let state = try writer.first(
            "SELECT state FROM enrolments WHERE account = ? AND provider = ?",
            [account.column, enrolment.provider.column]
        ) { try $0.text("state") }
        guard let state else { return try insert(enrolment, of: account, in: writer) }
        guard state != "active" else { throw AccountError.enrolledAlready(enrolment.provider) }
        let isTaken = try writer.exists(
            "SELECT 1 FROM enrolments WHERE provider = ? AND reference = ? AND account <> ?",
            [enrolment.provider.column, enrolment.reference.column, account.column]
        )
        guard !isTaken else { throw AccountError.providerAccountTaken(enrolment.reference) }
        try writer.change(
            """
            UPDATE enrolments
            SET reference = ?, state = ?, version = version + 1, origin = NULL, origin_methods = NULL
            WHERE account = ? AND provider = ?
            """,
            [
                enrolment.reference.column, enrolment.state, account.column, enrolment.provider.column,
            ]
        )
    }

    private func insert(_ enrolment: Enrolment, of account: AccountID, in writer: SQLConnection) throws {
        let inserted = try writer.change(
            """
            INSERT INTO enrolments (account, provider, reference, state, version) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [
                account.column, enrolment.provider.column, enrolment.reference.column, enrolment.state,
                enrolment.version.column,
            ]
        )
        guard inserted == 1 else { throw AccountError.providerAccountTaken(enrolment.reference) }
    }

    private static func record(_ id: AccountID, _ reader: SQLConnection) throws -> AccountRecord? {
        let attributes = try reader.all("SELECT name, value FROM account_attributes WHERE account = ?", [id.column]) {
            (try $0.text("name"), try $0.text("value"))
        }
        let found = try reader.first(
            "SELECT display_name, state, password_hash, created_at FROM accounts WHERE id = ?",
            [id.column]
        ) { columns in
            let account = Account(
                id: id,
                displayName: try columns.text("display_name"),
                state: try columns.value("state"),
                attributes: AccountAttributes(Dictionary(attributes) { first, _ in first }),
                createdAt: try columns.instant("created_at")
            )
            return (account: account, hash: try columns.optionalText("password_hash"))
        }
        guard let found else { return nil }
        let emails = try reader.all(
            "SELECT value, is_verified FROM identifiers WHERE account = ? AND kind = 'email' ORDER BY value",
            [id.column]
        ) { try $0.verifiedEmail() }
        let username = try reader.first(
            "SELECT value FROM identifiers WHERE account = ? AND kind = 'username'",
            [id.column]
        ) { try $0.text("value") }
        let claim = try reader.first("SELECT value FROM address_claims WHERE account = ?", [id.column]) {
            try $0.text("value")
        }
        let enrolments = try reader.all(
            "SELECT provider, reference, state, version FROM enrolments WHERE account = ? ORDER BY provider",
            [id.column]
        ) { try $0.enrolment(at: try $0.text("provider")) }
        return AccountRecord(
            account: found.account,
            emails: emails.compactMap(\.self),
            username: username.flatMap { Username($0) },
            claim: claim.flatMap { EmailAddress($0) },
            enrolments: enrolments,
            passwordHash: found.hash.map(Secret.init)
        )
    }
}

extension SQLConnection {
    /// Gives the account an address or a name.
    ///
    /// - Returns: `false`, without a change, if any account already has it.
    func insert(_ kind: String, _ value: String, of account: AccountID, isVerified: Bool) throws -> Bool {
        try change(
            """
            INSERT INTO identifiers (kind, value, account, is_verified) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [kind.column, value.column, account.column, isVerified.column]
        ) == 1
    }
}

extension Enrolment {
    var state: ColumnValue { (isActive ? "active" : "revoked").column }
}

extension ColumnReader {
    /// Returns the address of a row, or `nil` if the text is not an address.
    mutating func verifiedEmail() throws -> VerifiedEmail? {
        let (address, isVerified) = (EmailAddress(try text("value")), try flag("is_verified"))
        return address.map { VerifiedEmail(address: $0, isVerified: isVerified) }
    }

    mutating func enrolment(at provider: String) throws -> Enrolment {
        Enrolment(
            provider: provider,
            reference: try text("reference"),
            isActive: try text("state") == "active",
            version: try integer("version")
        )
    }
}

extension AccountSearch {
    /// The pattern of `LIKE`, in which every character of the text stands for itself.
    fileprivate var pattern: String {
        let text = text.replacing("~", with: "~~").replacing("%", with: "~%").replacing("_", with: "~_")
        return "%\(text)%"
    }
}
