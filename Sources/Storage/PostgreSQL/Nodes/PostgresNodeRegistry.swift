package import Kernel

/// The list of the daemons that share a PostgreSQL database, read and changed on the connections of the stores.
///
/// The connection of the lease is left alone: nothing may delay a renewal.
package struct PostgresNodeRegistry: NodeRegistry {
    private let database: PostgresDatabase

    package init(_ database: PostgresDatabase) { self.database = database }

    package func list() async throws -> [NodeRecord] {
        try await database.read { try Self.records($0, countingOperations: true) }
    }

    /// Two daemons that are drained in the same moment can't leave none: the unit is serializable and reads all rows.
    package func setDraining(
        _ isDraining: Bool,
        of name: NodeName,
        isLastAllowed: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let connection = try transaction.connection()
        try Self.records(connection, countingOperations: false)
            .checkDraining(isDraining, of: name, isLastAllowed: isLastAllowed)
        return try connection.change(
            "UPDATE nodes SET is_draining = ? WHERE name = ? AND is_draining <> ?",
            [isDraining.column, name.text.column, isDraining.column]
        ) == 1
    }

    private static func records(_ connection: SQLConnection, countingOperations: Bool) throws -> [NodeRecord] {
        let live = countingOperations ? try liveOperations(connection) : nil
        return try connection.all(
            """
            SELECT name, version, config, encryption_key, started_at, serving_since, is_draining, adopted_by,
                lease_until, lease_until - \(PostgresNodes.now) AS lease_left
            FROM nodes
            """
        ) { row -> NodeRecord? in
            // A name that no version of this program gave stands in nobody's way.
            guard let name = NodeName(try row.text("name")) else { return nil }
            return try record(name, &row, liveOperations: live.map { $0[name] ?? 0 })
        }.compactMap(\.self).sorted { $0.name.slot < $1.name.slot }
    }

    private static func record(
        _ name: NodeName,
        _ row: inout ColumnReader,
        liveOperations: Int?
    ) throws -> NodeRecord {
        let description = NodeDescription(
            version: try row.text("version"),
            config: try row.text("config"),
            encryptionKey: try row.text("encryption_key")
        )
        let (startedAt, servingSince) = (try row.instant("started_at"), try row.optionalInstant("serving_since"))
        let isDraining = try row.flag("is_draining")
        let adopter = try row.optionalText("adopted_by").flatMap { NodeName($0) }
        let (end, left) = (try row.integer("lease_until"), Duration.milliseconds(try row.integer("lease_left")))
        return NodeRecord(
            name: name,
            description: description,
            startedAt: startedAt,
            servingSince: servingSince,
            lease: end == 0 ? .ended : left >= .zero ? .held(for: left) : .over(since: .zero - left),
            adopter: adopter,
            isDraining: isDraining,
            liveOperations: liveOperations
        )
    }

    /// Counts the live operations by the daemon that wrote them last, which an index answers.
    private static func liveOperations(_ connection: SQLConnection) throws -> [NodeName: Int] {
        let counts = try connection.all(
            "SELECT node, COUNT(*) AS count FROM operations WHERE ended_at IS NULL GROUP BY node"
        ) { row in (name: NodeName(try row.text("node")), count: try row.count("count")) }
        return Dictionary(counts.compactMap { count in count.name.map { ($0, count.count) } }) { $1 }
    }
}
