import Kernel
import PostgresServer
import StoreContract
import Testing

@testable import Storage

/// An engine that runs the stores' SQL.
enum StorageEngine: String, CaseIterable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case postgres = "PostgreSQL"

    var testDescription: String { rawValue }

    /// The type that a bound digest is cast to where no column tells it.
    var bytesType: String { self == .sqlite ? "BLOB" : "BYTEA" }

    /// The literal of 32 zero bytes.
    var zeros: String { self == .sqlite ? "zeroblob(32)" : "decode(repeat('00', 32), 'hex')" }

    /// Runs `body` over a database of its own with the current schema, gone afterwards.
    ///
    /// `accounts`: the sample's accounts from 1 on that it has.
    ///
    /// `connections`: the number of units that PostgreSQL runs at the same time. SQLite runs one.
    ///
    /// `ids`: the form of PostgreSQL's ids. SQLite stores ids as they are outside.
    func run(
        accounts count: UInt64 = 0,
        connections: Int = 4,
        ids: IDForm = .ordered,
        _ body: (StoreFixture) async throws -> Void
    ) async throws {
        switch self {
        case .sqlite:
            let file = try TestDatabase()
            let database = try file.open()
            try await Self.run(
                StoreFixture(
                    database: database,
                    unitOfWork: SQLiteUnitOfWork(database),
                    reopen: { try file.open() },
                    tamper: { try file.tamper($0) }
                ),
                accounts: count,
                body
            )
            withExtendedLifetime(file) {}
        case .postgres:
            let server = try await PostgresServer.shared
            let place = try await server.migratedDatabase()
            let database = Self.open(place.url, connections, ids)
            defer { database.close() }
            try await Self.run(
                StoreFixture(
                    database: database,
                    unitOfWork: PostgresUnitOfWork(database),
                    reopen: { Self.open(place.url, connections, ids) },
                    tamper: {
                        let sql = "SET session_replication_role = replica;\n\($0)"
                        try await server.run(sql, in: place.name, as: PostgresServer.superuser)
                    }
                ),
                accounts: count,
                body
            )
            withExtendedLifetime(place) {}
        }
    }

    private static func run(
        _ fixture: StoreFixture,
        accounts count: UInt64,
        _ body: (StoreFixture) async throws -> Void
    ) async throws {
        let store = SQLAccountStore(fixture.database)
        try await fixture.unitOfWork.run { transaction in
            for number in 0..<count { try store.insert(Sample.account(number + 1), in: transaction) }
        }
        try await body(fixture)
    }

    /// Opens it without the checks of a start, which make every table once more: they take half a second a test.
    private static func open(_ url: String, _ connections: Int, _ ids: IDForm) -> PostgresDatabase {
        PostgresDatabase(PostgresOptions(url: Secret(url), poolSize: connections), environment: .tests.making(ids))
    }
}

/// A database on one engine, for a test that is to pass on every engine.
struct StoreFixture: Sendable {
    let database: any SQLDatabase
    let unitOfWork: any UnitOfWork
    /// Opens the same database once more, as after a restart.
    let reopen: @Sendable () throws -> any SQLDatabase
    /// Runs statements behind the daemon's back, without foreign keys.
    let tamper: @Sendable (String) async throws -> Void

    /// Runs one statement in a unit of its own, and returns the number of rows that it changed.
    @discardableResult
    func change(_ sql: String, _ values: [ColumnValue] = []) async throws -> Int {
        try await unitOfWork.run { try $0.connection().change(sql, values) }
    }

    /// Gives each of the sample's first accounts a session with a refresh token.
    func insertSessions(_ count: UInt64) async throws {
        let store = SQLSessionStore(database)
        try await unitOfWork.run { transaction in
            for number in 1...count {
                try store.insert(
                    Sample.session(number, account: number),
                    Sample.refreshToken(number, session: number),
                    face: nil,
                    in: transaction
                )
            }
        }
    }

    func count(_ table: String) async throws -> Int {
        try await database.read { try $0.count("SELECT COUNT(*) AS count FROM \(table)") }
    }

    /// Runs units at the same time, and returns what came of each.
    func together<T: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (Int, borrowing Transaction) throws -> T
    ) async -> [Result<T, any Error>] {
        await withTaskGroup(of: Result<T, any Error>.self) { group in
            for number in 0..<count {
                group.addTask {
                    do { return .success(try await unitOfWork.run { try body(number, $0) }) } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
