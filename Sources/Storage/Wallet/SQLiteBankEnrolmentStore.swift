import GRDB
package import Kernel
package import Wallet

/// Enrolments at banks under way, in SQLite.
package struct SQLiteBankEnrolmentStore: BankEnrolmentStore {
    private let database: SQLiteDatabase

    package init(_ database: SQLiteDatabase) { self.database = database }

    package func insert(
        _ attempt: EnrolmentAttempt,
        keepingPerAccount: Int,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.database()
        try writer.change(
            """
            INSERT INTO bank_enrolments (number, \(BankEnrolmentColumns.selected))
            VALUES (1 + COALESCE((SELECT MAX(number) FROM bank_enrolments), 0),
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            BankEnrolmentColumns.values(of: attempt)
        )
        try writer.keepNewest(keepingPerAccount, of: "bank_enrolments", where: "account", is: attempt.account.column)
    }

    package func find(state: Digest256) async throws -> EnrolmentAttempt? {
        try await database.read { reader in
            try reader.first(Self.byState, [state.column], BankEnrolmentColumns.read)
        }
    }

    package func find(state: Digest256, in transaction: borrowing Transaction) throws -> EnrolmentAttempt? {
        try transaction.database().first(Self.byState, [state.column], BankEnrolmentColumns.read)
    }

    package func find(confirmation token: Digest256) async throws -> EnrolmentAttempt? {
        try await database.read { reader in
            try reader.first(Self.byToken, [token.column], BankEnrolmentColumns.read)
        }
    }

    package func update(
        _ attempt: EnrolmentAttempt,
        over stage: EnrolmentAttempt.Stage.Name,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.database().change(
            """
            UPDATE bank_enrolments SET stage = ?, token = ?, held = ?, verifier = ?, expires_at = ?
            WHERE state = ? AND stage = ?
            """,
            BankEnrolmentColumns.changing(of: attempt) + [attempt.state.column, stage.rawValue.column]
        ) == 1
    }

    package func purge(
        expiredBefore instant: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try transaction.database().purge("bank_enrolments", by: "number", where: "expires_at", before: instant, limit)
    }

    private static let byState = selection("state")
    private static let byToken = selection("token")

    private static func selection(_ column: String) -> String {
        "SELECT \(BankEnrolmentColumns.selected) FROM bank_enrolments WHERE \(column) = ?"
    }
}

/// The columns of an attempt, in one order; its number apart.
private enum BankEnrolmentColumns {
    static let selected = """
        state, account, session, bank, browser, redirect_uri, is_mobile, deep_link, needs_confirmation, created_at,
        stage, token, held, verifier, expires_at
        """

    static func values(of attempt: EnrolmentAttempt) -> [ColumnValue] {
        [
            attempt.state.column, attempt.account.column, attempt.session.column, attempt.bankID.column,
            attempt.browser.column { $0.column }, attempt.redirectURI.column, attempt.isMobile.column,
            attempt.deepLink.column { $0.column }, attempt.needsConfirmation.column, attempt.createdAt.column,
        ] + changing(of: attempt)
    }

    /// What an update writes.
    static func changing(of attempt: EnrolmentAttempt) -> [ColumnValue] {
        stage(attempt.stage) + [attempt.verifier.column, attempt.expiresAt.column]
    }

    private static func stage(_ stage: EnrolmentAttempt.Stage) -> [ColumnValue] {
        let name = stage.name.rawValue.column
        switch stage {
        case .pending, .arrived: return [name, .null, .null]
        case .asking(let token, let held): return [name, token.column, held.column]
        case .ended(let token): return [name, token.column { $0.column }, .null]
        }
    }

    static func read(_ columns: inout ColumnReader) throws -> EnrolmentAttempt {
        let state = try columns.digest()
        let (account, session): (AccountID, SessionID) = (try columns.id(), try columns.id())
        let bankID = try columns.text()
        let browser = try columns.optionalDigest()
        let redirectURI = try columns.text()
        let isMobile = try columns.integer() == 1
        let deepLink = columns.optionalText()
        let needsConfirmation = try columns.integer() == 1
        let createdAt = try columns.instant()
        let stage = try self.stage(&columns)
        return EnrolmentAttempt(
            state: state,
            account: account,
            session: session,
            bankID: bankID,
            browser: browser,
            verifier: try columns.text(),
            redirectURI: redirectURI,
            isMobile: isMobile,
            deepLink: deepLink,
            needsConfirmation: needsConfirmation,
            stage: stage,
            createdAt: createdAt,
            expiresAt: try columns.instant()
        )
    }

    private static func stage(_ columns: inout ColumnReader) throws -> EnrolmentAttempt.Stage {
        switch try columns.value(EnrolmentAttempt.Stage.Name.self) {
        case .pending:
            columns.skip(2)
            return .pending
        case .arrived:
            columns.skip(2)
            return .arrived
        case .asking:
            let token = try columns.digest()
            return .asking(token: token, held: try columns.text())
        case .ended:
            let token = try columns.optionalDigest()
            columns.skip(1)
            return .ended(token: token)
        }
    }
}
