package import Kernel
package import OAuth

/// The store of device authorizations: one that was approved with a passkey is deleted with the passkey's row.
package struct SQLDeviceAuthorizationStore: DeviceAuthorizationStore {
    package init() {}

    package func insert(
        _ authorization: DeviceAuthorization,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let writer = try transaction.connection()
        let number = try writer.insertNumbered(
            """
            INSERT INTO device_authorizations (\(DeviceAuthorizationColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM passkeys WHERE id = ?), ?, ?, ?)
            ON CONFLICT (user_code) DO NOTHING RETURNING number
            """,
            DeviceAuthorizationColumns.values(of: authorization)
        )
        guard let number else { return false }
        try writer.keepNewest(
            keepingPerSource,
            of: "device_authorizations",
            where: "source",
            is: authorization.source.column
        )
        try writer.keepNewest(inAll, of: "device_authorizations", after: number, with: authorization.deviceCode)
        return true
    }

    package func find(userCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization? {
        try transaction.connection().row(DeviceAuthorizationColumns.self, where: "user_code = ?", [userCode.column])
    }

    package func find(deviceCode: Digest256, in transaction: borrowing Transaction) throws -> DeviceAuthorization? {
        try transaction.connection().row(DeviceAuthorizationColumns.self, where: "device_code = ?", [deviceCode.column])
    }

    package func update(
        _ authorization: DeviceAuthorization,
        over stage: DeviceAuthorization.Stage,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
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
}

/// The columns of a device authorization, in the order of their values, without its number.
private enum DeviceAuthorizationColumns: RowColumns {
    static let table: StaticString = "device_authorizations"
    static let selected = """
        device_code, user_code, client, scopes, resources, source, origin_address, origin_agent, state, account,
        methods, authenticated_at, passkey, origin, created_at, expires_at
        """

    static func values(of request: DeviceAuthorization) -> [ColumnValue] {
        [request.deviceCode.column, request.userCode.column] + request.access.columns + [
            request.source.column, request.origin.address.column, request.origin.agent.column,
        ] + values(of: request.state) + [request.createdAt.column, request.expiresAt.column]
    }

    /// Returns the values of the state's columns.
    static func values(of state: DeviceAuthorization.State) -> [ColumnValue] {
        let stage = state.stage.rawValue.column
        switch state {
        case .pending, .denied, .redeemed: return [stage, .null, .null, .null, .null, .null]
        case .approved(let approval):
            return [stage, approval.account.column] + approval.authentication.columns
        }
    }

    static func read(_ columns: inout ColumnReader) throws -> DeviceAuthorization {
        DeviceAuthorization(
            deviceCode: try columns.digest("device_code"),
            userCode: try columns.digest("user_code"),
            access: try RequestedAccess(&columns),
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
            return .approved(.init(account: account, authentication: try AuthenticationContext(&columns)))
        }
    }
}
