package import Kernel

/// Moves all rows of a SQLite file to an empty PostgreSQL database.
///
/// One transaction writes them and compares them before its commit, so that an interruption leaves no row behind. The
/// file is only read.
package struct StorageMove {
    private let source: MoveSource
    private let options: PostgresOptions
    private let environment: Environment
    private let report: (MoveProgress) -> Void

    /// - Parameters:
    ///   - source: The file, which no daemon has open.
    ///   - options: The PostgreSQL database.
    ///   - environment: The clock of the waits, and the time of the migrations.
    ///   - report: Receives the progress.
    package init(
        from source: MoveSource,
        to options: PostgresOptions,
        environment: Environment,
        report: @escaping (MoveProgress) -> Void = { _ in }
    ) {
        self.source = source
        self.options = options
        self.environment = environment
        self.report = report
    }

    /// Migrates the PostgreSQL database, copies all rows, compares them, and commits.
    ///
    /// `verify`: Verifies the audit of a database, and throws if it is not sound. It is called for the file, and for the
    /// PostgreSQL database before the commit.
    ///
    /// - Throws: ``StorageMoveError``, ``StoreOpenError`` or ``PostgresOpenError``, whose messages say what to do, and
    ///   the error of `verify`.
    package func run(
        verifyingAudit verify: (any SQLDatabase) async throws -> Void
    ) async throws -> MovedRowsReport {
        // Comes first, so that no daemon can start on the database meanwhile.
        let claim = try PostgresClaim(.alone, options, clock: environment.clock) { _ in }
        defer { claim.close() }
        _ = try PostgresDatabase.migrate(options, environment: environment)
        let target = try MoveTarget(options, clock: environment.clock)
        defer { target.close() }
        do {
            let contents = try await move(to: target, verify)
            return MovedRowsReport(
                tables: source.tables.map { ($0.name, contents[$0.name]?.rows ?? 0) },
                database: target.name
            )
        } catch {
            throw target.error(error)
        }
    }

    private func move(
        to target: MoveTarget,
        _ verify: (any SQLDatabase) async throws -> Void
    ) async throws -> [String: TableContent] {
        let (version, mark) = try reading { (try source.version(), try source.keyMark()) }
        try target.begin(source.tables, keyMark: mark)
        try await verified(source, as: source.path, verify)
        let contents = try reading { try source.contents(report) }
        report(.counted(tables: contents.count, rows: contents.values.reduce(0) { $0 + $1.rows }))
        for table in source.tables { try copy(table, to: target, contents[table.name]) }
        for table in source.tables {
            let found = try target.content(of: table)
            guard found == contents[table.name] else { throw StorageMoveError.differs(target.name, table.name) }
            report(.compared(table: table.name, rows: found.rows))
        }
        guard try target.keyMark() == mark else { throw StorageMoveError.differs(target.name, "key_mark") }
        try await verified(MoveTargetReader(target), as: target.name, verify)
        guard try reading({ try source.version() }) == version else {
            throw StorageMoveError.changed(source.path, "rows")
        }
        report(.verified)
        try target.commit(source.tables)
        return contents
    }

    /// Verifies an audit, and translates an error of its rows or of the file of its checkpoints.
    private func verified(
        _ database: any SQLDatabase,
        as name: String,
        _ verify: (any SQLDatabase) async throws -> Void
    ) async throws {
        do { try await verify(database) } catch let error as StoreError {
            throw StorageMoveError.unverified(name, cause: error.cause)
        }
    }

    private func copy(_ table: MovedTable, to target: MoveTarget, _ content: TableContent?) throws {
        let count = content?.rows ?? 0
        let copied = try reading { try target.copy(table, from: source, count: count, report) }
        guard copied == content else { throw StorageMoveError.changed(source.path, table.name) }
        report(.copied(table: table.name, rows: count))
    }

    /// Runs a body that reads the file, and translates the error of the file.
    private func reading<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch {
            if error is StorageMoveError || error is PostgresError { throw error }
            throw StoreOpenError.reading(source.path, error)
        }
    }
}
