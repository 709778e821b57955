package import Kernel
package import Wallet

/// The store of bank enrolments in progress.
package struct SQLBankEnrolmentStore: BankEnrolmentStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(
        _ attempt: EnrolmentAttempt,
        keepingPerAccount: Int,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.connection()
        try writer.change(
            """
            INSERT INTO bank_enrolments (\(BankEnrolmentColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            BankEnrolmentColumns.values(of: attempt)
        )
        try writer.keepNewest(
            keepingPerAccount,
            of: "bank_enrolments",
            where: "account",
            is: attempt.initiator.account.column
        )
    }

    package func find(state: Digest256) async throws -> EnrolmentAttempt? { try await find("state = ?", state) }

    package func find(confirmation token: Digest256) async throws -> EnrolmentAttempt? {
        try await find("token = ?", token)
    }

    private func find(_ condition: String, _ digest: Digest256) async throws -> EnrolmentAttempt? {
        try await database.read { try $0.row(BankEnrolmentColumns.self, where: condition, [digest.column]) }
    }

    package func update(
        _ attempt: EnrolmentAttempt,
        over stage: EnrolmentAttempt.Stage.Name,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE bank_enrolments SET stage = ?, token = ?, held = ?, verifier = ?, expires_at = ?
            WHERE state = ? AND stage = ?
            """,
            BankEnrolmentColumns.changing(of: attempt) + [attempt.state.column, stage.rawValue.column]
        ) == 1
    }
}

/// The columns of an attempt, in the order of their values, without its number.
private enum BankEnrolmentColumns: RowColumns {
    static let table: StaticString = "bank_enrolments"
    static let selected = """
        state, account, session, bank, browser, redirect_uri, is_mobile, deep_link, needs_confirmation, created_at,
        stage, token, held, verifier, expires_at
        """

    static func values(of attempt: EnrolmentAttempt) -> [ColumnValue] {
        let (initiator, redirect) = (attempt.initiator, attempt.redirect)
        return [
            attempt.state.column, initiator.account.column, initiator.session.column, attempt.bankID.column,
            redirect.browser.column { $0.column }, redirect.redirectURI.column,
        ] + destination(attempt.destination)
            + [attempt.needsConfirmation.column, attempt.validity.createdAt.column] + changing(of: attempt)
    }

    private static func destination(_ destination: EnrolmentDestination) -> [ColumnValue] {
        switch destination {
        case .page: [false.column, .null]
        case .app(let deepLink): [true.column, deepLink.column { $0.column }]
        }
    }

    /// Returns the values that an update writes.
    static func changing(of attempt: EnrolmentAttempt) -> [ColumnValue] {
        stage(attempt.stage) + [attempt.redirect.verifier.column, attempt.validity.expiresAt.column]
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
        EnrolmentAttempt(
            state: try columns.digest("state"),
            initiator: EnrolmentInitiator(account: try columns.id("account"), session: try columns.id("session")),
            bankID: try columns.text("bank"),
            redirect: EnrolmentAttempt.Redirect(
                redirectURI: try columns.text("redirect_uri"),
                browser: try columns.optionalDigest("browser"),
                verifier: try columns.text("verifier")
            ),
            destination: try columns.flag("is_mobile")
                ? .app(deepLink: try columns.optionalText("deep_link")) : .page,
            needsConfirmation: try columns.flag("needs_confirmation"),
            stage: try stage(&columns),
            validity: ValidityPeriod(
                createdAt: try columns.instant("created_at"),
                expiresAt: try columns.instant("expires_at")
            )
        )
    }

    private static func stage(_ columns: inout ColumnReader) throws -> EnrolmentAttempt.Stage {
        switch try columns.value("stage", EnrolmentAttempt.Stage.Name.self) {
        case .pending: .pending
        case .arrived: .arrived
        case .asking: .asking(token: try columns.digest("token"), held: try columns.text("held"))
        case .ended: .ended(token: try columns.optionalDigest("token"))
        }
    }
}
