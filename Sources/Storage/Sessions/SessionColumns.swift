import Kernel
import Sessions

/// The columns of a session, in the order in which they are read.
enum SessionColumns {
    static let selected = """
        sessions.id, sessions.account, sessions.client, sessions.device, sessions.methods, sessions.binding,
        sessions.proof_key, sessions.passkey, sessions.authenticated_at, sessions.created_at, sessions.revoked_at,
        sessions.revoked_because, sessions.is_device_proven
        """

    static func read(_ columns: inout ColumnReader) throws -> Session {
        let (id, account) = (try columns.id(SessionID.self), try columns.id(AccountID.self))
        let (client, device) = (try columns.text(), try columns.optionalID(DeviceID.self))
        let methods = try columns.text().split(separator: " ").map(String.init)
        let binding = try columns.value(Session.Binding.self)
        let (proofKey, passkey) = (try columns.optionalDigest(), try columns.optionalID(PasskeyID.self))
        let (authenticatedAt, createdAt) = (try columns.instant(), try columns.instant())
        let revokedAt = columns.optionalInstant()
        let revokedBecause = try columns.optionalValue(RevocationReason.self)
        return Session(
            id: id,
            account: account,
            client: client,
            device: device,
            isDeviceProven: try columns.integer() == 1,
            createdAt: createdAt,
            authenticatedAt: authenticatedAt,
            methods: methods,
            binding: binding,
            proofKey: proofKey,
            passkey: passkey,
            revokedAt: revokedAt,
            revokedBecause: revokedBecause
        )
    }
}
