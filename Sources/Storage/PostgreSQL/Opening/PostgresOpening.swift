import Kernel

/// The checks of a database before it is used, on a connection of their own.
struct PostgresOpening {
    let options: PostgresOptions
    let clock: any MonotonicClock
    var migrator = Migrator()
    /// The longest wait for another migration, or for a transaction that uses a table.
    var patience: Duration = .seconds(10)

    /// Checks the server, the rights of the role and the schema.
    ///
    /// Nothing is changed before the server, the migrations that were run, and the right to create tables were checked.
    /// The rights on the tables and the schema's shape are checked after the migrations.
    ///
    /// `migrating`: whether missing migrations are run. Otherwise an older schema is refused.
    ///
    /// - Returns: The names of the migrations that were run.
    func prepare(migrating: Bool, at now: Instant) throws(PostgresOpenError) -> [String] {
        try look { connection in
            let migrator = PostgresMigrator(connection: connection, migrator: migrator, patience: patience)
            let missing = try migrator.pending()
            guard migrating || missing.isEmpty else { throw SchemaError.behind(missing: missing.map(\.name)) }
            try Self.refuse(migrator.missingCreation(permanently: !missing.isEmpty))
            let applied = missing.isEmpty ? [] : try migrator.migrate(at: now)
            try Self.refuse(migrator.missingRights())
            try migrator.checkShape()
            return applied
        }
    }

    /// Returns what an operator should know of the server's settings.
    func warnings() throws(PostgresOpenError) -> [PostgresWarning] {
        try look { try PostgresServerState(SQLConnection($0)).warnings }
    }

    /// Reads the database before anything is changed.
    ///
    /// - Throws: ``PostgresOpenError``, before `body` is run for a server that can't be used.
    func look<Value>(_ body: (PostgresConnection) throws -> Value) throws(PostgresOpenError) -> Value {
        let (name, connection) = try connect()
        defer { connection.close() }
        do { return try body(connection) } catch {
            throw error as? PostgresOpenError ?? PostgresOpenError(database: name, reason: Self.reason(error))
        }
    }

    /// Returns a connection to a server that can be used, and the database as messages name it.
    func connect() throws(PostgresOpenError) -> (name: String, connection: PostgresConnection) {
        let name: String
        do throws(PostgresAddressError) { name = try options.address.name } catch {
            throw PostgresOpenError(database: "", reason: .address(error))
        }
        let connection: PostgresConnection
        do throws(PostgresError) { connection = try PostgresConnection(options, clock: clock) } catch {
            throw PostgresOpenError(database: name, reason: Self.reason(connecting: error))
        }
        let refusal: PostgresOpenError.Reason?
        do { refusal = try PostgresServerState(SQLConnection(connection)).refusal } catch {
            refusal = Self.reason(error)
        }
        guard let refusal else { return (name, connection) }
        connection.close()
        throw PostgresOpenError(database: name, reason: refusal)
    }

    private static func refuse(_ missing: [String]) throws {
        guard missing.isEmpty else { throw PostgresOpenError.Reason.rights(missing) }
    }

    private static func reason(connecting error: PostgresError) -> PostgresOpenError.Reason {
        if case .lost(let cause) = error { return PostgresOpenError.Reason(connecting: cause) }
        return .unreachable(cause: StoreError(error).cause)
    }

    static func reason(_ error: any Error) -> PostgresOpenError.Reason {
        switch error {
        case let reason as PostgresOpenError.Reason: reason
        case let error as SchemaError: .schema(error)
        // insufficient_privilege
        case PostgresError.server(state: "42501", let message): .rights([message])
        // lock_not_available, query_canceled
        case PostgresError.server(state: "55P03", let message), PostgresError.server(state: "57014", let message):
            .busy(cause: message)
        case PostgresError.uncertain(let cause): .uncertain(cause: cause)
        case let error as PostgresError: .failed(cause: StoreError(error).cause)
        default: .failed(cause: StoreError(error).cause)
        }
    }
}
