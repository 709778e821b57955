package import Kernel

/// The rings of signing keys in the table `key_rings`.
///
/// Each call has a connection of its own: a ring changes a few times a year, and is read about once a minute. No lock is
/// held while a key is made, which takes up to a second: a change whose row has another version by then is made again.
package struct PostgresRings: SharedRings {
    /// In each round at least one daemon succeeds.
    private static let rounds = 16

    private let opening: PostgresOpening

    /// - Parameters:
    ///   - options: The database.
    ///   - clock: Times the waits for the server.
    ///   - deadline: The longest wait for an answer, unless that of the options is shorter.
    package init(_ options: PostgresOptions, clock: any MonotonicClock, deadline: Duration = .seconds(2)) {
        var options = options
        options.deadline = min(options.deadline, deadline)
        opening = PostgresOpening(options: options, clock: clock)
    }

    package func change(_ name: String, _ body: ([UInt8]?) throws -> [UInt8]?) throws {
        let connection = try connect()
        defer { connection.close() }
        for _ in 0..<Self.rounds {
            let row = try inDatabase { try Row.read(name, connection) }
            guard let content = try body(row?.content) else { return }
            if try put(content, over: row, of: name, connection) { return }
        }
        throw StoreError.unavailable(cause: "other daemons change the signing keys at the same time, again and again")
    }

    private func connect() throws(StoreError) -> PostgresConnection {
        do throws(PostgresOpenError) { return try opening.connect().connection } catch {
            throw .unavailable(cause: error.message)
        }
    }

    /// Writes a row unless another daemon has written it since it was read; returns whether it was written.
    private func put(
        _ content: [UInt8],
        over row: Row?,
        of name: String,
        _ connection: PostgresConnection
    ) throws(StoreError) -> Bool {
        try inDatabase {
            // READ COMMITTED: a change that another transaction was first to make is not an error.
            connection.begin(.migration)
            do {
                let isWritten = try Row.write(content, over: row?.version, of: name, connection)
                try connection.commit()
                return isWritten
            } catch PostgresError.uncertain(let cause) {
                guard try isStored(content, name) else { throw PostgresError.uncertain(cause: cause) }
                return true
            } catch {
                connection.rollback()
                throw error
            }
        }
    }

    /// Whether the row has that content, for a commit whose answer was lost: no two contents are equal, because each is
    /// encrypted with a number of its own.
    private func isStored(_ content: [UInt8], _ name: String) throws -> Bool {
        let connection = try connect()
        defer { connection.close() }
        return try Row.read(name, connection)?.content == content
    }

    /// Runs statements, and translates their errors.
    private func inDatabase<T>(_ statements: () throws -> T) throws(StoreError) -> T {
        do { return try statements() } catch { throw StoreError(error) }
    }
}

/// A row of `key_rings`.
private struct Row {
    let version: Int64
    let content: [UInt8]

    static func read(_ name: String, _ connection: PostgresConnection) throws -> Row? {
        try SQLConnection(connection)
            .first("SELECT version, content FROM key_rings WHERE name = ?", [name.column]) { columns in
                Row(version: try columns.integer("version"), content: try columns.bytes("content"))
            }
    }

    /// Writes the first version, or the one after `version`; returns `false` if another daemon has written it.
    static func write(
        _ content: [UInt8],
        over version: Int64?,
        of name: String,
        _ connection: PostgresConnection
    ) throws -> Bool {
        let sql = SQLConnection(connection)
        guard let version else {
            return try sql.change(
                "INSERT INTO key_rings (name, version, content) VALUES (?, 1, ?) ON CONFLICT (name) DO NOTHING",
                [name.column, .bytes(content)]
            ) == 1
        }
        return try sql.change(
            "UPDATE key_rings SET version = version + 1, content = ? WHERE name = ? AND version = ?",
            [.bytes(content), name.column, version.column]
        ) == 1
    }
}
