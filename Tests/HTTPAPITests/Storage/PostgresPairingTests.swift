import Kernel
import MemoryStore
import PostgresServer
import Settings
import Storage
import Testing
import Tokens

@testable import Assembly

/// The keys in a data folder beside a PostgreSQL database.
struct PostgresPairingTests {
    private let folder: TestFolder
    private let time = VirtualTime()
    private let database: TestPostgresDatabase

    init() async throws {
        folder = try TestFolder()
        database = try await PostgresServer.shared.emptyDatabase()
    }

    /// The settings of a daemon in that folder, by default its own.
    private func settings(in path: String? = nil) -> Settings {
        var settings = Settings(dataFolder: path ?? folder.path)
        settings.storage.postgres = PostgresOptions(url: database.url, poolSize: 2)
        settings.faceLogin.provider = ""
        return settings
    }

    private func start(_ settings: Settings, seed: UInt64 = 1) async throws {
        let composition = try Composition(
            settings,
            environment: time.environment(seed: seed),
            logger: LogRecorder().logger,
            migrating: true,
            faceProviders: []
        )
        try await composition.stores.upkeep.checkDurable()
        await composition.shutdown()
    }

    private func migrate(_ settings: Settings) throws -> [String] {
        try Composition.migrate(settings, environment: time.environment())
    }

    @Test func `a start never migrates a PostgreSQL database, and says which command does`() async throws {
        let error = await #expect(throws: PostgresOpenError.self) { try await start(settings()) }
        #expect(error?.message.contains("Run `vestibule migrate`") == true)
        #expect(try await database.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").isEmpty)
        #expect(try !migrate(settings()).isEmpty)
        try await start(settings())
        #expect(try migrate(settings()).isEmpty)
    }

    // T-215
    @Test func `attack: a PostgreSQL database refuses another server's keys, and nothing in it is changed`()
        async throws
    {
        _ = try migrate(settings())
        try await start(settings())
        let mark = try await database.run("SELECT * FROM key_mark")
        let other = settings(in: folder.path + "/other")
        _ = try KeyFolder.open(at: other.secrets.keyFolder, environment: time.environment(seed: 99))
        for attempt in [{ try await start(other, seed: 99) }, { _ = try migrate(other) }] {
            let error = await #expect(throws: UnusableFilesError.self) { try await attempt() }
            #expect(error?.message.contains("belongs to other keys than those in \(other.secrets.keyFolder)") == true)
            #expect(error?.message.contains("The database \(database.name) at ") == true)
        }
        #expect(try await database.run("SELECT * FROM key_mark") == mark)
        try await start(settings())
    }

    // T-215
    @Test func `a PostgreSQL database whose keys are gone gets no new ones`() async throws {
        _ = try migrate(settings())
        try await start(settings())
        let empty = settings(in: folder.path + "/empty")
        let error = await #expect(throws: UnusableFilesError.self) { try await start(empty) }
        #expect(error?.message.contains("belongs to keys that are gone") == true)
        #expect(try KeyFolder.find(at: empty.secrets.keyFolder, environment: time.environment()) == nil)
    }

    @Test func `a PostgreSQL database without a mark is known by its audit`() async throws {
        _ = try migrate(settings())
        let composition = try Composition(
            settings(),
            environment: time.environment(),
            logger: LogRecorder().logger,
            migrating: false,
            faceProviders: []
        )
        let (chain, now) = (composition.audit.chain, time.wall)
        try await composition.unitOfWork.run { transaction in
            let entry = AuditEntry(at: now, event: "test.row", subject: "s", account: nil, detail: nil)
            try chain.append(entry, in: transaction)
        }
        await composition.shutdown()
        try await database.run("DELETE FROM key_mark")
        let other = settings(in: folder.path + "/other")
        _ = try KeyFolder.open(at: other.secrets.keyFolder, environment: time.environment(seed: 99))
        await #expect(throws: UnusableFilesError.self) { try await start(other, seed: 99) }
        #expect(try await database.run("SELECT * FROM key_mark").isEmpty)
        try await start(settings())
    }

    @Test func `the sizes of files are absent from a PostgreSQL database's upkeep`() async throws {
        _ = try migrate(settings())
        let composition = try Composition(
            settings(),
            environment: time.environment(),
            logger: LogRecorder().logger,
            migrating: false,
            faceProviders: []
        )
        #expect(composition.stores.upkeep.fileSizes == nil)
        #expect(composition.stores.upkeep.encryptedRows != nil)
        await composition.shutdown()
    }
}
