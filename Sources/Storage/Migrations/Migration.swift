import Kernel

/// One forward step of the schema.
///
/// A released migration is never edited: the database stores the checksum of each migration that was run.
struct Migration: Sendable {
    let version: Int
    let name: String
    let sqlite: String
    /// What only PostgreSQL has besides, in SQLite's words too.
    var postgresOnly = ""
    /// The version of a migration: programs that know it can run on this schema, beside newer ones.
    ///
    /// `nil` if a program must know this migration itself. Only on PostgreSQL several programs share a database.
    var oldestProgram: Int?

    /// The SHA-256 of the SQL, in hexadecimal.
    var checksum: String { Hex.encode(Digest256(sha256: sqlite + postgresOnly).bytes) }

    /// All migrations, in order.
    static let all = [version1]

    /// The schema of 0.1.0.
    static let version1 = Migration(
        version: 1,
        name: "schema of 0.1.0",
        sqlite: [
            accountTables, deviceTables, sessionTables, operationTables, passkeyTables, oauthClientTables,
            authorizationTables, walletTables, mailTables, auditTables,
        ].joined(separator: "\n\n"),
        postgresOnly: nodeTables
    )
}
