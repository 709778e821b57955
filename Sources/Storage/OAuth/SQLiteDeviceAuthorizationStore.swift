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
            try reader.first(Self.byUserCode, [userCode.column], read: DeviceAuthorizationColumns.read)
        }
    }

    package func find(userCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization? {
        try transaction.database().first(Self.byUserCode, [userCode.column], read: DeviceAuthorizationColumns.read)
    }

    package func find(deviceCode: Digest256) async throws -> DeviceAuthorization? {
        try await database.read { reader in
            try reader.first(Self.byDeviceCode, [deviceCode.column], read: DeviceAuthorizationColumns.read)
        }
    }

    package func find(deviceCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization? {
        try transaction.database().first(Self.byDeviceCode, [deviceCode.column], read: DeviceAuthorizationColumns.read)
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

    private static let byUserCode = selection("user_code")
    private static let byDeviceCode = selection("device_code")

    private static func selection(_ column: String) -> String {
        "SELECT \(DeviceAuthorizationColumns.selected) FROM device_authorizations WHERE \(column) = ?"
    }
}

/// The columns of a request, in the order of their values; its number apart.
private enum DeviceAuthorizationColumns {
    static let selected = """
        device_code, user_code, client, scopes, resources, source, origin_address, origin_agent, state, account,
        methods, authenticated_at, passkey, origin, created_at, expires_at
        """

    static func values(of request: DeviceAuthorization) -> [ColumnValue] {
        [
            request.deviceCode.column, request.userCode.column, request.clientID.column, request.scopes.text.column,
            // A URI has no space (RFC 3986 §2).
            request.resources.spaced.column, request.source.column, request.origin.address.column,
            request.origin.agent.column,
        ] + values(of: request.state) + [request.createdAt.column, request.expiresAt.column]
    }

    /// Returns the state, and what belongs to it.
    static func values(of state: DeviceAuthorization.State) -> [ColumnValue] {
        let stage = state.stage.rawValue.column
        switch state {
        case .pending, .denied, .redeemed: return [stage, .null, .null, .null, .null, .null]
        case .approved(let approval):
            let methods = approval.authentication.methods.spaced
            return [
                stage, approval.account.column, methods.column, approval.authentication.at.column,
                approval.authentication.passkey.column(\.column), approval.authentication.session.column(\.column),
            ]
        }
    }

    static func read(_ columns: inout ColumnReader) throws -> DeviceAuthorization {
        DeviceAuthorization(
            deviceCode: try columns.digest("device_code"),
            userCode: try columns.digest("user_code"),
            clientID: try columns.text("client"),
            scopes: ScopeSet(Set(try columns.words("scopes"))),
            resources: try columns.words("resources"),
            source: try columns.digest("source"),
            origin: DeviceAuthorization.Origin(
                address: try columns.text("origin_address"),
                agent: try columns.text("origin_agent")
            ),
            state: try state(&columns),
            createdAt: try columns.instant("created_at"),
            expiresAt: try columns.instant("expires_at")
        )
    }

    private static func state(_ columns: inout ColumnReader) throws -> DeviceAuthorization.State {
        switch try columns.value("state", DeviceAuthorization.Stage.self) {
        case .pending: return .pending
        case .denied: return .denied
        case .redeemed: return .redeemed
        case .approved:
            let account: AccountID = try columns.id("account")
            let authentication = AuthenticationContext(
                methods: try columns.words("methods"),
                at: try columns.instant("authenticated_at"),
                passkey: try columns.optionalID("passkey"),
                session: try columns.optionalID("origin")
            )
            return .approved(.init(account: account, authentication: authentication))
        }
    }
}
