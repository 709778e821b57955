import Kernel

/// One forward step of the schema.
///
/// Never edited once released: a store remembers the checksum of each that it ran.
struct Migration: Sendable {
    let version: Int
    let name: String
    let sqlite: String

    /// SHA-256 of the SQL, hex.
    var checksum: String { Hex.encode(Digest256(sha256: sqlite).bytes) }

    /// All of them, in order.
    static let all = [version1]

    /// The schema of 0.1.0.
    static let version1 = Migration(
        version: 1,
        name: "schema of 0.1.0",
        sqlite: [
            accountTables, deviceTables, sessionTables, operationTables, passkeyTables, oauthClientTables,
            authorizationTables, walletTables, mailTables, auditTables,
        ].joined(separator: "\n\n")
    )
}
