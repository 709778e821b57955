package import Accounts
package import Kernel

/// Sign-in codes.
package struct SQLEmailCodeStore: EmailCodeStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ code: EmailCode, in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        try writer.change(
            """
            UPDATE email_codes SET ended_at = ?
            WHERE account = ? AND client = ? AND device = ? AND ended_at IS NULL
            """,
            [
                code.validity.createdAt.column, code.recipient.account.column, code.device.client.column,
                code.device.device.column,
            ]
        )
        try writer.change(
            """
            INSERT INTO email_codes (\(EmailCodeColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                code.id.column, code.recipient.account.column, code.recipient.address.column,
                code.device.client.column, code.device.device.column, code.linkedDevice.column(\.column),
                code.digests.digits.column, code.digests.link.column, code.validity.createdAt.column,
                code.validity.expiresAt.column, code.wrongTries.column, code.endedAt.column(\.column),
            ]
        )
    }

    package func find(_ id: EmailCodeID, in transaction: borrowing Transaction) throws -> EmailCode? {
        try transaction.connection().row(EmailCodeColumns.self, where: "id = ?", [id.column])
    }

    package func find(
        address: Digest256,
        device: DeviceName,
        in transaction: borrowing Transaction
    ) throws -> EmailCode? {
        try transaction.connection().row(
            EmailCodeColumns.self,
            where: "address = ? AND client = ? AND device = ? AND ended_at IS NULL ORDER BY created_at DESC LIMIT 1",
            [address.column, device.client.column, device.device.column]
        )
    }

    package func find(link: Digest256) async throws -> EmailCode? {
        try await database.read { reader in try reader.row(EmailCodeColumns.self, where: "link = ?", [link.column]) }
    }

    package func noteWrongTry(of id: EmailCodeID, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE email_codes SET wrong_tries = wrong_tries + 1 WHERE id = ?",
            [id.column]
        )
    }

    package func end(_ id: EmailCodeID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            "UPDATE email_codes SET ended_at = ? WHERE id = ? AND ended_at IS NULL",
            [now.column, id.column]
        ) == 1
    }

    package func endAll(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE email_codes SET ended_at = ? WHERE account = ? AND ended_at IS NULL",
            [now.column, account.column]
        )
    }

    package func use(
        of account: AccountID,
        on linkedDevice: DeviceID?,
        codesSince: Instant,
        triesSince: Instant,
        in transaction: borrowing Transaction
    ) throws -> EmailCodeUse {
        try transaction.connection().first(
            """
            SELECT COUNT(*) FILTER (WHERE created_at > ?) AS codes,
                MIN(created_at) FILTER (WHERE created_at > ?) AS first_code,
                CAST(COALESCE(SUM(wrong_tries) FILTER (WHERE created_at > ?), 0) AS INTEGER) AS wrong_tries,
                MIN(created_at) FILTER (WHERE created_at > ? AND wrong_tries > 0) AS first_wrong
            FROM email_codes WHERE account = ? AND created_at > ? AND linked_device IS NOT DISTINCT FROM ?
            """,
            [
                codesSince.column, codesSince.column, triesSince.column, triesSince.column, account.column,
                min(codesSince, triesSince).column, linkedDevice.column(\.column),
            ]
        ) { columns in
            EmailCodeUse(
                codes: try columns.count("codes"),
                firstCode: try columns.optionalInstant("first_code"),
                wrongTries: try columns.count("wrong_tries"),
                firstWrong: try columns.optionalInstant("first_wrong")
            )
        } ?? EmailCodeUse()
    }
}

/// The columns of a code, in the order of their values.
private enum EmailCodeColumns: RowColumns {
    static let table: StaticString = "email_codes"
    static let selected = """
        id, account, address, client, device, linked_device, digits, link, created_at, expires_at, wrong_tries, ended_at
        """

    static func read(_ columns: inout ColumnReader) throws -> EmailCode {
        EmailCode(
            id: try columns.id("id"),
            recipient: EmailCode.Recipient(
                account: try columns.id("account"),
                address: try columns.digest("address")
            ),
            device: DeviceName(client: try columns.text("client"), device: try columns.text("device")),
            linkedDevice: try columns.optionalID("linked_device"),
            digests: EmailCode.Digests(digits: try columns.digest("digits"), link: try columns.digest("link")),
            validity: ValidityPeriod(
                createdAt: try columns.instant("created_at"),
                expiresAt: try columns.instant("expires_at")
            ),
            wrongTries: try columns.count("wrong_tries"),
            endedAt: try columns.optionalInstant("ended_at")
        )
    }
}
