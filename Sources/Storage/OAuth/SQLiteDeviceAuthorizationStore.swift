import GRDB
package import Kernel
package import OAuth

/// Devices' requests in SQLite: one that was let in by a passkey goes with the passkey's row.
package struct SQLiteDeviceAuthorizationStore: DeviceAuthorizationStore {
    private let database: SQLiteDatabase

    package init(_ database: SQLiteDatabase) { self.database = database }

    package func insert(
        _ authorization: DeviceAuthorization,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let writer = try transaction.database()
        let written = try writer.change(
            """
            INSERT INTO device_authorizations (number, \(DeviceAuthorizationColumns.selected))
            VALUES (1 + COALESCE((SELECT MAX(number) FROM device_authorizations), 0),
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM passkeys WHERE id = ?), ?, ?, ?)
            ON CONFLICT (user_code) DO NOTHING
            """,
            DeviceAuthorizationColumns.values(of: authorization)
        )
        guard written == 1 else { return false }
        try writer.keepNewest(
            keepingPerSource,
            of: "device_authorizations",
            where: "source",
            is: authorization.source.column
        )
        try writer.keepNewest(inAll, of: "device_authorizations")
        return true
    }

    package func find(userCode: Digest256) async throws -> DeviceAuthorization? {
        try await database.read { reader in
            try reader.first(Self.byUserCode, [userCode.column], DeviceAuthorizationColumns.read)
        }
    }

    package func find(userCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization? {
        try transaction.database().first(Self.byUserCode, [userCode.column], DeviceAuthorizationColumns.read)
    }

    package func find(deviceCode: Digest256) async throws -> DeviceAuthorization? {
        try await database.read { reader in
            try reader.first(Self.byDeviceCode, [deviceCode.column], DeviceAuthorizationColumns.read)
        }
    }

    package func find(deviceCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization? {
        try transaction.database().first(Self.byDeviceCode, [deviceCode.column], DeviceAuthorizationColumns.read)
    }

    package func update(
        _ authorization: DeviceAuthorization,
        over stage: DeviceAuthorization.Stage,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.database().change(
            """
            UPDATE device_authorizations SET state = ?, account = ?, methods = ?, authenticated_at = ?,
                passkey = (SELECT id FROM passkeys WHERE id = ?), origin = ?
            WHERE device_code = ? AND state = ?
            """,
            DeviceAuthorizationColumns.values(of: authorization.state) + [
                authorization.deviceCode.column, stage.rawValue.column,
            ]
        ) == 1
    }

    package func purge(
        expiredBefore instant: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try transaction.database().purge(
            "device_authorizations",
            by: "number",
            where: "expires_at",
            before: instant,
            limit
        )
    }

    private static let byUserCode = selection("user_code")
    private static let byDeviceCode = selection("device_code")

    private static func selection(_ column: String) -> String {
        "SELECT \(DeviceAuthorizationColumns.selected) FROM device_authorizations WHERE \(column) = ?"
    }
}

/// The columns of a request, in one order; its number apart.
private enum DeviceAuthorizationColumns {
    static let selected = """
        device_code, user_code, client, scopes, resources, source, origin_address, origin_agent, state, account,
        methods, authenticated_at, passkey, origin, created_at, expires_at
        """

    static func values(of request: DeviceAuthorization) -> [ColumnValue] {
        [
            request.deviceCode.column, request.userCode.column, request.clientID.column, request.scopes.text.column,
            // A URI has no space (RFC 3986 §2).
            request.resources.joined(separator: " ").column, request.source.column, request.origin.address.column,
            request.origin.agent.column,
        ] + values(of: request.state) + [request.createdAt.column, request.expiresAt.column]
    }

    /// The state, and what belongs to it.
    static func values(of state: DeviceAuthorization.State) -> [ColumnValue] {
        let stage = state.stage.rawValue.column
        switch state {
        case .pending, .denied, .redeemed: return [stage, .null, .null, .null, .null, .null]
        case .approved(let approval):
            let methods = approval.authentication.methods.joined(separator: " ")
            return [
                stage, approval.account.column, methods.column, approval.authentication.at.column,
                approval.authentication.passkey.column(\.column), approval.authentication.session.column(\.column),
            ]
        }
    }

    static func read(_ columns: inout ColumnReader) throws -> DeviceAuthorization {
        let (deviceCode, userCode) = (try columns.digest(), try columns.digest())
        let clientID = try columns.text()
        let scopes = ScopeSet(Set(try words(&columns)))
        let resources = try words(&columns)
        let source = try columns.digest()
        let origin = DeviceAuthorization.Origin(address: try columns.text(), agent: try columns.text())
        return DeviceAuthorization(
            deviceCode: deviceCode,
            userCode: userCode,
            clientID: clientID,
            scopes: scopes,
            resources: resources,
            source: source,
            origin: origin,
            state: try state(&columns),
            createdAt: try columns.instant(),
            expiresAt: try columns.instant()
        )
    }

    private static func state(_ columns: inout ColumnReader) throws -> DeviceAuthorization.State {
        switch try columns.value(DeviceAuthorization.Stage.self) {
        case .pending:
            columns.skip(5)
            return .pending
        case .denied:
            columns.skip(5)
            return .denied
        case .redeemed:
            columns.skip(5)
            return .redeemed
        case .approved:
            let account: AccountID = try columns.id()
            let methods = try words(&columns)
            let authentication = AuthenticationFacts(
                methods: methods,
                at: try columns.instant(),
                passkey: try columns.optionalID(),
                session: try columns.optionalID()
            )
            return .approved(.init(account: account, authentication: authentication))
        }
    }

    private static func words(_ columns: inout ColumnReader) throws -> [String] {
        try columns.text().split(separator: " ").map(String.init)
    }
}
