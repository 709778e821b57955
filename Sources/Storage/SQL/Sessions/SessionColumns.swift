import Kernel
import Sessions

/// The columns of a session.
enum SessionColumns: RowColumns {
    static let table: StaticString = "sessions"
    static let selected = """
        sessions.id, sessions.account, sessions.client, sessions.device, sessions.is_device_proven, sessions.created_at,
        sessions.authenticated_at, sessions.methods, sessions.binding, sessions.proof_key, sessions.passkey,
        sessions.origin_address, sessions.origin_agent, sessions.revoked_at, sessions.revoked_because
        """

    static func read(_ columns: inout ColumnReader) throws -> Session {
        Session(
            id: try columns.id("id"),
            account: try columns.id("account"),
            client: try columns.text("client"),
            linkedDevice: try columns.optionalID("device").map {
                Session.LinkedDevice(id: $0, isProven: try columns.flag("is_device_proven"))
            },
            createdAt: try columns.instant("created_at"),
            authentication: Session.Authentication(
                at: try columns.instant("authenticated_at"),
                methods: try columns.words("methods"),
                passkey: try columns.optionalID("passkey"),
                origin: try origin(&columns)
            ),
            tokenBinding: Session.TokenBinding(
                proof: try columns.value("binding"),
                key: try columns.optionalDigest("proof_key")
            ),
            revocation: try columns.optionalInstant("revoked_at").map {
                Session.Revocation(at: $0, reason: try columns.optionalValue("revoked_because"))
            }
        )
    }

    private static func origin(_ columns: inout ColumnReader) throws -> Session.Origin? {
        let (address, agent) = (try columns.optionalText("origin_address"), try columns.optionalText("origin_agent"))
        return address.map { Session.Origin(address: $0, agent: agent ?? "") }
    }
}
