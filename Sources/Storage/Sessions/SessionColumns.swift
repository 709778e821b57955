import Kernel
import Sessions

/// The columns of a session.
enum SessionColumns: RowColumns {
    static let table: StaticString = "sessions"
    static let selected = """
        sessions.id, sessions.account, sessions.client, sessions.device, sessions.is_device_proven, sessions.created_at,
        sessions.authenticated_at, sessions.methods, sessions.binding, sessions.proof_key, sessions.passkey,
        sessions.revoked_at, sessions.revoked_because
        """

    static func read(_ columns: inout ColumnReader) throws -> Session {
        Session(
            id: try columns.id("id"),
            account: try columns.id("account"),
            client: try columns.text("client"),
            device: try columns.optionalID("device"),
            isDeviceProven: try columns.flag("is_device_proven"),
            createdAt: try columns.instant("created_at"),
            authenticatedAt: try columns.instant("authenticated_at"),
            methods: try columns.words("methods"),
            binding: try columns.value("binding"),
            proofKey: try columns.optionalDigest("proof_key"),
            passkey: try columns.optionalID("passkey"),
            revokedAt: try columns.optionalInstant("revoked_at"),
            revokedBecause: try columns.optionalValue("revoked_because")
        )
    }
}
