import Kernel

/// The table of the daemons that share a database, for one of them.
///
/// Times are the server's, so that no daemon's clock matters.
struct PostgresNodes {
    /// How long a daemon's operations are its own after it has renewed its lease.
    static let lease: Duration = .seconds(3)
    /// The name of a daemon that did not stop in order stays taken for so long, in case it only stands still.
    private static let memory: Duration = .seconds(600)
    /// The number of the lock that lets daemons join one after the other: "vestnode" in ASCII.
    private static let joining: Int64 = 0x7665_7374_6E6F_6465
    static let now = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"

    let connection: PostgresConnection

    /// A process that joins.
    struct Process: Sendable, Equatable {
        /// Names it, so that one that was paused finds out that its name was given away.
        let life: UUIDBits
        /// What the daemon tells of itself.
        let description: NodeDescription
        /// How it tells others of changes.
        let notices: PostgresNotices
    }

    /// A daemon whose lease is over.
    struct Lapsed: Sendable, Equatable {
        let name: NodeName
        /// The daemon that follows its operations; `nil` if none does.
        let adopter: NodeName?
        /// Whether no daemon follows its operations, because the adopter's lease is over as well.
        let isForsaken: Bool
    }

    /// Throws ``PostgresOpenError/Reason/otherNotices(node:notices:)`` if a daemon whose lease is held tells others of
    /// changes in another way.
    func checkNotices(_ notices: PostgresNotices) throws {
        let other = try SQLConnection(connection).first(
            """
            SELECT name, notices FROM nodes
            WHERE adopted_by IS NULL AND lease_until >= \(Self.now) AND notices <> ? ORDER BY started_at, name LIMIT 1
            """,
            [notices.rawValue.column]
        ) { PostgresOpenError.Reason.otherNotices(node: try $0.text("name"), notices: try $0.text("notices")) }
        if let other { throw other }
    }

    /// Takes a name for a process.
    ///
    /// The name is the first that nobody has, or has had for ten minutes. That of a daemon that stopped in order comes
    /// with its operations, unless another daemon follows those. Every other name that lapsed is left: after an outage
    /// of the database all leases are over, and their daemons are about to renew them.
    func join(_ process: Process) throws -> NodeName {
        connection.begin(.migration)
        do {
            let reader = SQLConnection(connection)
            _ = try connection.run("SELECT pg_advisory_xact_lock(\(Self.joining))")
            let name = try firstFree(reader)
            let isOurs =
                try reader.change(
                    """
                    INSERT INTO nodes
                        (name, life, version, config, encryption_key, started_at, lease_until, adopted_by, notices)
                    VALUES (?, ?, ?, ?, ?, \(Self.now), \(Self.now) + ?, NULL, ?)
                    ON CONFLICT (name) DO UPDATE SET life = excluded.life, version = excluded.version,
                        config = excluded.config, encryption_key = excluded.encryption_key,
                        started_at = excluded.started_at, serving_since = NULL, is_draining = 0,
                        lease_until = excluded.lease_until, adopted_by = NULL, notices = excluded.notices
                        WHERE nodes.lease_until = 0 AND nodes.adopted_by IS NULL
                    """,
                    [
                        name.text.column, process.life.description.column, process.description.version.column,
                        process.description.config.column, process.description.encryptionKey.column,
                        Self.lease.wholeMilliseconds.column, process.notices.rawValue.column,
                    ]
                ) == 1
            // Another daemon has just joined under the name, or taken over what was left under it.
            guard isOurs else { throw StoreError.conflict(cause: "the name was taken in the same moment") }
            try listStrays(reader)
            try connection.commit()
            return name
        } catch {
            connection.rollback()
            throw error
        }
    }

    private func firstFree(_ reader: SQLConnection) throws -> NodeName {
        let taken = try reader.all(
            "SELECT name FROM nodes WHERE adopted_by IS NOT NULL OR lease_until <> 0"
        ) { NodeName(try $0.text("name"))?.slot }
        return NodeName(slot: (0...taken.count).first { !taken.contains($0) } ?? taken.count)
    }

    /// Lists the names of live operations that no daemon has, as those of stopped daemons: after a restored backup, or
    /// a write by a daemon that was paused for long.
    private func listStrays(_ reader: SQLConnection) throws {
        try reader.change(
            """
            WITH RECURSIVE writer (node) AS (
                SELECT (SELECT MIN(node) FROM operations WHERE ended_at IS NULL)
                UNION ALL
                SELECT (
                    SELECT MIN(operations.node) FROM operations
                    WHERE operations.ended_at IS NULL AND operations.node > writer.node
                ) FROM writer WHERE writer.node IS NOT NULL
            )
            INSERT INTO nodes (name, life, version, config, encryption_key, started_at, lease_until, adopted_by)
            SELECT node, '', '', '', '', 0, 0, NULL FROM writer WHERE node IS NOT NULL
            ON CONFLICT (name) DO NOTHING
            """
        )
    }

    /// Lists the names that ``join(_:)`` lists too.
    func listStrays() throws { try listStrays(SQLConnection(connection)) }

    /// Renews the lease; returns `false` if the name is another process's by now, or its operations are another
    /// daemon's.
    func renew(_ name: NodeName, life: UUIDBits) throws -> Bool {
        try SQLConnection(connection).change(
            "UPDATE nodes SET lease_until = \(Self.now) + ? WHERE name = ? AND life = ? AND adopted_by IS NULL",
            [Self.lease.wholeMilliseconds.column, name.text.column, life.description.column]
        ) == 1
    }

    /// Marks the daemon as one that has to leave its load balancer.
    func drain(_ name: NodeName, life: UUIDBits) throws {
        try SQLConnection(connection).change(
            "UPDATE nodes SET is_draining = 1 WHERE name = ? AND life = ?",
            [name.text.column, life.description.column]
        )
    }

    /// Ends the lease, so that another daemon takes over at once.
    ///
    /// Nobody else gets the name: the daemon may still write under it.
    func leave(_ name: NodeName, life: UUIDBits) throws {
        try SQLConnection(connection).change(
            "UPDATE nodes SET lease_until = \(Self.now) - 1 WHERE name = ? AND life = ?",
            [name.text.column, life.description.column]
        )
    }

    /// Gives the name back after ``leave(_:life:)``.
    func giveBack(_ name: NodeName, life: UUIDBits) throws {
        try SQLConnection(connection).change(
            "UPDATE nodes SET lease_until = 0 WHERE name = ? AND life = ?",
            [name.text.column, life.description.column]
        )
    }

    /// Returns the daemons whose leases are over.
    func lapsed() throws -> [Lapsed] {
        try SQLConnection(connection).all(
            """
            SELECT nodes.name, nodes.adopted_by,
                CASE WHEN nodes.adopted_by IS NULL OR adopter.name IS NULL OR adopter.lease_until < \(Self.now)
                    THEN 1 ELSE 0 END AS is_forsaken
            FROM nodes LEFT JOIN nodes AS adopter ON adopter.name = nodes.adopted_by
            WHERE nodes.lease_until < \(Self.now)
            """
        ) { row -> Lapsed? in
            // A name that no version of this program gave stands in nobody's way.
            guard let name = NodeName(try row.text("name")) else { return nil }
            return Lapsed(
                name: name,
                adopter: try row.optionalText("adopted_by").flatMap { NodeName($0) },
                isForsaken: try row.flag("is_forsaken")
            )
        }.compactMap(\.self)
    }

    /// Returns what the daemon of that name has to know of all whose leases are held.
    ///
    /// `notices`: How the daemon tells others of changes.
    func peers(of name: NodeName, using notices: PostgresNotices) throws -> Peers {
        let known = try SQLConnection(connection).all(
            """
            SELECT name, encryption_key, serving_since, is_draining, started_at, notices,
                CASE WHEN adopted_by IS NULL AND lease_until >= \(Self.now) THEN 1 ELSE 0 END AS is_live
            FROM nodes WHERE lease_until >= \(Self.now) - ?
            """,
            [Self.memory.wholeMilliseconds.column]
        ) { row in
            (
                name: NodeName(try row.text("name")), key: try row.text("encryption_key"),
                servingSince: try row.optionalInstant("serving_since"), isDraining: try row.flag("is_draining"),
                isLive: try row.flag("is_live"), startedAt: try row.instant("started_at"),
                notices: try row.text("notices")
            )
        }
        let live = known.filter(\.isLive)
        let own = live.first { $0.name == name }
        let lowest = live.compactMap(\.name?.slot).min()
        return Peers(
            count: max(1, live.count),
            serving: max(1, live.count { $0.servingSince != nil && !$0.isDraining }),
            isLeader: lowest == name.slot,
            // One that only stands still may go on with its key.
            encryptionKeys: Set(known.map(\.key)),
            servingSince: live.compactMap(\.servingSince).min(),
            isDraining: own?.isDraining ?? false,
            // Of daemons that don't hear each other, those that joined first go on.
            isUnheard: live.contains { other in
                guard let own, other.notices != notices.rawValue else { return false }
                return (other.startedAt, other.name?.slot ?? 0) < (own.startedAt, name.slot)
            }
        )
    }

    /// Notes that the daemon accepts requests from now on.
    func noteServing(_ name: NodeName, life: UUIDBits) throws {
        try SQLConnection(connection).change(
            "UPDATE nodes SET serving_since = \(Self.now) WHERE name = ? AND life = ? AND serving_since IS NULL",
            [name.text.column, life.description.column]
        )
    }

    /// Takes over the operations of a stopped daemon; returns `false` if it is back, or another daemon was first.
    func adopt(_ node: Lapsed, by name: NodeName) throws -> Bool {
        try SQLConnection(connection).change(
            """
            UPDATE nodes SET adopted_by = ?
            WHERE name = ? AND lease_until < \(Self.now) AND adopted_by IS NOT DISTINCT FROM CAST(? AS TEXT)
            """,
            [name.text.column, node.name.text.column, (node.adopter?.text).column(\.column)]
        ) == 1
    }

    /// Forgets a stopped daemon none of whose operations is left; returns whether it is forgotten.
    ///
    /// One that did not stop in order is remembered for ten minutes: if it only stood still, it may write once more under
    /// its name.
    func release(_ node: NodeName, by name: NodeName) throws -> Bool {
        try SQLConnection(connection).change(
            """
            DELETE FROM nodes WHERE name = ? AND adopted_by = ? AND lease_until < \(Self.now) - ?
                AND NOT EXISTS (SELECT 1 FROM operations WHERE node = nodes.name AND ended_at IS NULL)
            """,
            [node.text.column, name.text.column, Self.memory.wholeMilliseconds.column]
        ) == 1
    }
}
