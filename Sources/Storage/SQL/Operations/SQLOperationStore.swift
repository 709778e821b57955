package import Kernel
package import Operations

/// The operation store.
package struct SQLOperationStore: OperationStore {
    private let database: any SQLDatabase
    private let policies = PolicyColumn()

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ operation: Operation, in transaction: borrowing Transaction) throws {
        // Only columns that are known at the start: every login writes this row, and the other columns would all be
        // NULL.
        let binding = BindingColumns(starting: operation)
        let purpose = PurposeColumns(operation.request.purpose)
        let proof = operation.request.deviceProof.map(\.rawValue.column)
        let language = operation.request.language.map(\.column)
        let rare: [String] = (proof == nil ? [] : ["device_proof"]) + (language == nil ? [] : ["language"])
        let rarely: [ColumnValue] = [proof, language].compactMap(\.self)
        let common: [ColumnValue] = try identity(of: operation) + [operation.seq.column]
        let names = purpose.names + (binding == nil ? [] : BindingColumns.names) + rare
        try transaction.connection().write(
            names.isEmpty ? Self.plainInsertion : Self.insertion(naming: names),
            common + purpose.values + (binding?.values ?? []) + rarely
        )
        guard operation.state != .created || operation.credentials.isBound else { return }
        guard try update(operation, over: operation.seq, in: transaction) else {
            throw StoreError.corrupt(cause: "a new row can't be found")
        }
    }

    package func update(_ operation: Operation, over seq: Int64, in transaction: borrowing Transaction) throws -> Bool {
        let columns = StateColumns(operation)
        let binding = BindingColumns(operation)
        let texts = columns.keepsBrowser ? Self.updatesKeepingBrowser : Self.updates
        return try transaction.connection().change(
            binding == nil ? texts.plain : texts.withBinding,
            columns.values + (binding?.values ?? []) + [operation.id.column, seq.column]
        ) == 1
    }

    /// The texts are built once: every step of a login runs one of them, and they are long.
    private static let plainInsertion = insertion(naming: [])
    private static let updates = (plain: update(), withBinding: update(binding: ", " + BindingColumns.assignments))
    private static let updatesKeepingBrowser = (
        plain: update(browser: "COALESCE(?, scan_browser)"),
        withBinding: update(browser: "COALESCE(?, scan_browser)", binding: ", " + BindingColumns.assignments)
    )

    private static func insertion(naming names: [String]) -> String {
        """
        INSERT INTO operations (
            id, public_id, ticket, kind, account, device, provider, client, policy, code_challenge,
            binding_cookie, created_at, deadline, node, seq, is_bound, state\(names.map { ", \($0)" }.joined())
        ) VALUES (
            ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'created'\(String(repeating: ", ?", count: names.count))
        )
        """
    }

    private static func update(browser: String = "?", binding: String = "") -> String {
        """
        UPDATE operations SET
            seq = ?, node = ?, provider = ?, deadline = ?,
            is_bound = CASE WHEN is_bound < ? THEN 1 ELSE is_bound END, state = ?,
            failure = ?, scan_reference = ?, scan_browser = \(browser), scan_attempt = ?, scan_started_at = ?,
            scan_progress = ?, scan_page = ?, approved_at = ?, session = ?, access_jti = ?, refresh_jti = ?,
            issued_at = ?, authenticated_at = ?, redeemed_at = ?,
            collector = ?, ended_at = ?\(binding)
        WHERE id = ? AND seq = ?
        """
    }

    package func bind(_ operations: Set<OperationRowID>, in transaction: borrowing Transaction) throws {
        let database = try transaction.connection()
        for operation in operations {
            _ = try database.change("UPDATE operations SET is_bound = 1 WHERE id = ?", [operation.column])
        }
    }

    package func claim(
        _ scan: Digest256,
        for operation: OperationRowID,
        face: String?,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            "INSERT INTO scans (scan, operation, face) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [scan.column, operation.column, face.column(\.column)]
        ) == 1
    }

    package func face(of scan: Digest256, in transaction: borrowing Transaction) throws -> String? {
        try transaction.connection().first("SELECT face FROM scans WHERE scan = ?", [scan.column]) {
            try $0.optionalText("face")
        } ?? nil
    }

    package func claimant(of scan: Digest256, in transaction: borrowing Transaction) throws -> OperationRowID? {
        try transaction.connection().first("SELECT operation FROM scans WHERE scan = ?", [scan.column]) {
            try $0.id("operation")
        }
    }

    package func findEnded(publicID: Digest256) async throws -> Operation? {
        try await database.read { [policies] reader in
            try reader.first(
                "SELECT \(Self.columns) FROM operations WHERE public_id = ? AND ended_at IS NOT NULL",
                [publicID.column]
            ) { try $0.operation(policies) }
        }
    }

    package func find(row: OperationRowID) async throws -> Operation? {
        try await database.reading { try find(row: row, in: $0) }
    }

    package func find(row: OperationRowID, in transaction: borrowing Transaction) throws -> Operation? {
        try transaction.connection().first(Self.byRow, [row.column]) { try $0.operation(policies) }
    }

    package func following(_ row: OperationRowID?, endedAfter: Instant, limit: Int) async throws -> [Operation] {
        try await database.read { [policies] reader in
            let sql = """
                SELECT \(Self.columns) FROM operations
                WHERE id > ? AND (ended_at IS NULL OR ended_at >= ?)
                ORDER BY id LIMIT ?
                """
            let values = [row.columnOrEmpty, endedAfter.column, limit.column]
            return try reader.all(sql, values) { try $0.operation(policies) }
        }
    }

    package func live(of node: NodeName, after row: OperationRowID?, limit: Int) async throws -> [Operation] {
        try await database.read { [policies] reader in
            try reader.all(
                """
                SELECT \(Self.columns) FROM operations
                WHERE node = ? AND ended_at IS NULL AND id > ? ORDER BY id LIMIT ?
                """,
                [node.text.column, row.columnOrEmpty, limit.column]
            ) { try $0.operation(policies) }
        }
    }

    package func liveVersions(
        of node: NodeName,
        after row: OperationRowID?,
        limit: Int
    ) async throws -> [StoredVersion] {
        try await database.read { reader in
            try reader.all(
                """
                SELECT id, public_id, seq FROM operations
                WHERE node = ? AND ended_at IS NULL AND id > ? ORDER BY id LIMIT ?
                """,
                [node.text.column, row.columnOrEmpty, limit.column]
            ) {
                StoredVersion(row: try $0.id("id"), publicID: try $0.digest("public_id"), seq: try $0.integer("seq"))
            }
        }
    }

    package func live(ofClient client: String, after last: Operation?, limit: Int) async throws -> [Operation] {
        try await database.read { [policies] reader in
            try reader.all(
                """
                SELECT \(Self.columns) FROM operations
                WHERE ended_at IS NULL AND (client = ? OR policy LIKE '%"signsInTo"%') AND (node, id) > (?, ?)
                ORDER BY node, id LIMIT ?
                """,
                [
                    client.column, (last?.version.writer.text ?? "").column, (last?.id).columnOrEmpty, limit.column,
                ]
            ) { try $0.operation(policies) }
        }
    }

    package func live(ofAccount account: AccountID, in transaction: borrowing Transaction) throws -> [Operation] {
        try transaction.connection().all(
            "SELECT \(Self.columns) FROM operations WHERE account = ? AND ended_at IS NULL ORDER BY id",
            [account.column]
        ) { try $0.operation(policies) }
    }

    package func find(publicID: Digest256) async throws -> Operation? {
        try await database.read { [policies] reader in
            // Each of the two has an index of its own.
            for condition in ["IS NULL", "IS NOT NULL"] {
                let found = try reader.first(
                    "SELECT \(Self.columns) FROM operations WHERE public_id = ? AND ended_at \(condition)",
                    [publicID.column]
                ) { try $0.operation(policies) }
                if let found { return found }
            }
            return nil
        }
    }

    package func find(ticket: Digest256) async throws -> (operation: Operation, browser: Digest256?)? {
        try await database.read { [policies] reader in
            // An ended operation is found only while it has a browser.
            try reader.first(
                """
                SELECT \(Self.columns) FROM operations
                WHERE ticket = ? AND (ended_at IS NULL OR scan_browser IS NOT NULL)
                """,
                [ticket.column]
            ) { (try $0.operation(policies), try $0.optionalDigest("scan_browser")) }
        }
    }

    package func list(_ filter: OperationFilter) async throws -> [Operation] {
        try await database.read { [policies] reader in
            let conditions = filter.conditions
            return try reader.all(Self.list(where: conditions.text), conditions.values + [filter.limit.column]) {
                try $0.operation(policies)
            }
        }
    }

    package func listEnded(of account: AccountID, limit: Int) async throws -> [Operation] {
        try await database.read { [policies] reader in
            try reader.all(Self.ownersList, [account.column, limit.column]) { try $0.operation(policies) }
        }
    }

    package func listEnrolments(_ filter: EnrolmentFilter) async throws -> [Operation] {
        var values = [filter.account.column]
        var conditions = ""
        switch filter.outcome {
        case .any:
            conditions += " AND \(Self.isShown)"
        case .completed: conditions += " AND state = 'closed'"
        case .completedWithin(let after, let until):
            conditions += " AND state = 'closed' AND ended_at > ? AND ended_at <= ?"
            values += [after.column, until.column]
        }
        if let provider = filter.provider {
            conditions += " AND provider = ?"
            values.append(provider.text.column)
        }
        let sql = Self.enrolments(where: conditions)
        values.append(filter.limit.column)
        return try await database.read { [policies, values] reader in
            try reader.all(sql, values) { try $0.operation(policies) }
        }
    }

    private func identity(of operation: Operation) throws -> [ColumnValue] {
        [
            operation.id.column, operation.credentials.publicID.column, operation.credentials.ticket.column,
            PurposeColumns(operation.request.purpose).kind, operation.request.account.column(\.column),
            operation.request.device.column(\.column),
            operation.provider.text.column, operation.request.policy.clientID.column,
            try policies.text(of: operation.request.policy).column,
            operation.credentials.codeChallenge.column(\.column),
            operation.credentials.bindingCookie.column, operation.validity.createdAt.column,
            operation.validity.deadline.column,
            operation.version.writer.text.column,
        ]
    }

    /// A condition of the index of finished operations, term for term, because otherwise the index is not used.
    private static let isShown = """
        failure IS DISTINCT FROM 'expired' AND failure IS DISTINCT FROM 'canceled'
        AND failure IS DISTINCT FROM 'superseded'
        """

    /// The conditions are those of the index, term for term, because otherwise the index is not used.
    static let ownersList = """
        SELECT \(columns) FROM operations
        WHERE account = ? AND account IS NOT NULL AND ended_at IS NOT NULL
        AND \(isShown)
        AND kind <> 'enroll'
        ORDER BY account, created_at DESC, id LIMIT ?
        """

    /// The first conditions are those of the index `enrolments_of_accounts`, word for word, because otherwise SQLite
    /// does not use it.
    static func enrolments(where conditions: String) -> String {
        """
        SELECT \(columns) FROM operations
        WHERE account = ? AND kind = 'enroll' AND ended_at IS NOT NULL\(conditions)
        ORDER BY account, created_at DESC, id LIMIT ?
        """
    }

    /// The order is that of the index `operations_by_start` backwards, which also has what the filter compares, but the
    /// state.
    static func list(where condition: String) -> String {
        "SELECT \(columns) FROM operations \(condition) ORDER BY created_at DESC, id LIMIT ?"
    }

    private static let byRow = "SELECT \(columns) FROM operations WHERE id = ?"

    private static let columns = """
        id, public_id, ticket, binding_cookie, code_challenge, is_bound, account, device, device_proof, language,
        \(PurposeColumns.selected.joined(separator: ", ")), policy, created_at, deadline, provider, state, failure,
        scan_reference, scan_browser, scan_attempt, scan_started_at, scan_progress, scan_page, approved_at, session,
        access_jti, refresh_jti, issued_at, authenticated_at, redeemed_at, collector, ended_at,
        \(BindingColumns.names.joined(separator: ", ")), seq, node
        """
}
