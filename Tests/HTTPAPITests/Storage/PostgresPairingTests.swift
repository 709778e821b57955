import Accounts
import Audit
import Foundation
import HTTPAPI
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Operations
import PostgresServer
import Storage
import Testing
import Tokens

@testable import Assembly
@testable import Settings

/// The keys in a data folder beside a PostgreSQL database.
struct PostgresPairingTests {
    private let folder: TestFolder
    private let time = VirtualTime()
    private let database: TestPostgresDatabase

    init() async throws {
        folder = try TestFolder()
        database = try await PostgresServer.shared.emptyDatabase()
    }

    /// The laptop's settings over that database, with the data folder of that name.
    private func settings(_ name: String = "own") throws -> Settings {
        let path = "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let sources = SettingsSources(
            configFile: nil,
            workingFolder: path,
            dataFolder: path,
            overrides: ["storage.postgres.url=\(database.url)", "storage.postgres.poolSize=2"]
        )
        return try SettingsLoader(files: SettingsFiles { _ in .missing }).load(sources).settings
    }

    /// A daemon's composition, of which only the database is used.
    private func composition(
        _ settings: Settings,
        as process: ProcessRole = .only,
        seed: UInt64 = 1
    ) throws -> Composition {
        try Composition(
            settings,
            as: process,
            environment: time.environment(seed: seed),
            logger: LogRecorder().logger,
            migrating: true,
            faceProviders: [ScriptedFaceProvider(name: ProviderName("mock"))],
            banks: ScriptedBank()
        )
    }

    private func start(_ settings: Settings, seed: UInt64 = 1) async throws {
        let composition = try composition(settings, seed: seed)
        do { try await composition.stores.upkeep.checkDurable() } catch {
            await composition.shutdown()
            throw error
        }
        await composition.shutdown()
    }

    private func migrate(_ settings: Settings) throws -> [String] {
        try Composition.migrate(settings, environment: time.environment())
    }

    /// The settings of a data folder with the keys of another server.
    private func foreignSettings() throws -> Settings {
        let settings = try settings("foreign")
        _ = try KeyFolder.open(at: settings.secrets.keyFolder, environment: time.environment(seed: 99))
        return settings
    }

    @Test func `a start never migrates a PostgreSQL database, and says which command does`() async throws {
        let settings = try settings()
        let error = await #expect(throws: PostgresOpenError.self) { try await start(settings) }
        #expect(error?.message.contains("Run `vestibule migrate`") == true)
        #expect(try await database.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").isEmpty)
        #expect(try !migrate(settings).isEmpty)
        try await start(settings)
        #expect(try migrate(settings).isEmpty)
    }

    // T-221
    @Test func `a daemon into whose database rows are moved is not ready until that has ended`() async throws {
        let settings = try settings()
        _ = try migrate(settings)
        let options = try #require(settings.storage.postgres)
        let composition = try composition(settings)
        let clock = time.environment().clock
        let isReady = { (try? await composition.stores.upkeep.checkDurable()) != nil }
        #expect(await isReady())
        var other: PostgresClaim?
        for _ in 0..<5 where other == nil {
            try await database.run(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_locks
                WHERE locktype = 'advisory' AND granted
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """
            )
            other = try? PostgresClaim(.alone, options, clock: clock) { _ in }
        }
        let taken = try #require(other)
        // The daemon looks at its lock every two seconds.
        for _ in 0..<600 where await isReady() { try await Task.sleep(for: .milliseconds(50)) }
        #expect(await !isReady())
        taken.close()
        for _ in 0..<600 where await !isReady() { try await Task.sleep(for: .milliseconds(50)) }
        #expect(await isReady())
        await composition.shutdown()
    }

    // T-215
    @Test func `attack: a PostgreSQL database refuses another server's keys, and nothing in it is changed`()
        async throws
    {
        _ = try migrate(try settings())
        try await start(try settings())
        let mark = try await database.run("SELECT * FROM key_mark")
        let foreign = try foreignSettings()
        let error = await #expect(throws: UnusableFilesError.self) { try await start(foreign, seed: 99) }
        #expect(error?.message.contains("belongs to other keys than those in \(foreign.secrets.keyFolder)") == true)
        #expect(error?.message.contains("The database \(database.name) at ") == true)
        #expect(throws: UnusableFilesError.self) { try migrate(foreign) }
        #expect(try await database.run("SELECT * FROM key_mark") == mark)
        try await start(try settings())
    }

    // T-215
    @Test func `a PostgreSQL database whose keys are gone gets no new ones`() async throws {
        _ = try migrate(try settings())
        try await start(try settings())
        let empty = try settings("empty")
        let error = await #expect(throws: UnusableFilesError.self) { try await start(empty) }
        #expect(error?.message.contains("belongs to keys that are gone") == true)
        #expect(try KeyFolder.find(at: empty.secrets.keyFolder, environment: time.environment()) == nil)
    }

    // T-221
    @Test func `several daemons share a PostgreSQL database, each under a name of its own`() async throws {
        _ = try migrate(try settings())
        let first = try composition(try settings(), as: .daemon)
        let other = try settings("other")
        try FileManager.default.removeItem(atPath: other.dataFolder)
        try FileManager.default.copyItem(atPath: try settings().dataFolder, toPath: other.dataFolder)
        let second = try composition(other, as: .daemon)
        let command = try composition(try settings(), as: .command)
        #expect([first, second].map(\.stores.upkeep.nodes.node.text) == ["local", "node-1"])
        #expect(command.stores.upkeep.nodes.isShared && !command.stores.upkeep.nodes.isLeaseHeld)
        await command.shutdown()
        await first.shutdown()
        // The name of a daemon that stopped is free again.
        let third = try composition(try settings(), as: .daemon)
        #expect(third.stores.upkeep.nodes.node == .first)
        await second.shutdown()
        await third.shutdown()
    }

    // T-221
    @Test func `no daemon starts on a PostgreSQL database into which rows are moved`() async throws {
        let settings = try settings()
        _ = try migrate(settings)
        let options = try #require(settings.storage.postgres)
        let move = try PostgresClaim(.alone, options, clock: time.environment().clock) { _ in }
        let error = await #expect(throws: PostgresOpenError.self) { try await start(settings) }
        #expect(error?.reason == .claimed)
        move.close()
        try await start(settings)
    }

    // T-215
    @Test func `a first start that another one came before, with other keys, is refused`() async throws {
        let own = try settings()
        _ = try migrate(own)
        try await start(own)
        // What the later start saw before: no mark, so that it made keys.
        let log = LogRecorder().logger
        let time = time.environment()
        let observability = Observability(
            logger: log,
            metrics: nil,
            isDaemon: false,
            now: time.now,
            storeHealth: StoreHealth(own.storage, clock: time.clock, logger: log)
        )
        let folder = try KeyFolder.open(
            at: try settings("late").secrets.keyFolder,
            environment: self.time.environment(seed: 7)
        )
        let error = #expect(throws: UnusableFilesError.self) {
            try Stores.open(
                own.storage,
                DatabaseUse(
                    keyMark: folder.databaseMark,
                    process: .daemon,
                    description: NodeDescription(version: "0.1.0", config: "", encryptionKey: "")
                ),
                migrating: false,
                encryptor: AESGCMEncryptor([], folder: folder, environment: time),
                environment: time,
                observability: observability
            )
        }
        #expect(error?.message.contains("was just started with other keys") == true)
        try await start(own)
    }

    @Test func `a PostgreSQL database without a mark is known by its audit`() async throws {
        _ = try migrate(try settings())
        let composition = try composition(try settings())
        let (chain, now) = (composition.audit.chain, time.wall)
        try await composition.unitOfWork.run { transaction in
            let entry = AuditEntry(at: now, event: "test.row", subject: "s", account: nil, detail: nil)
            try chain.append(entry, in: transaction)
        }
        await composition.shutdown()
        try await database.run("DELETE FROM key_mark")
        let foreign = try foreignSettings()
        await #expect(throws: UnusableFilesError.self) { try await start(foreign, seed: 99) }
        #expect(try await database.run("SELECT * FROM key_mark").isEmpty)
        try await start(try settings())
    }

    @Test func `a PostgreSQL database has rows to encrypt again, and no files`() async throws {
        _ = try migrate(try settings())
        let composition = try composition(try settings())
        #expect(composition.stores.upkeep.fileSizes == nil)
        #expect(composition.stores.upkeep.encryptedRows != nil)
        await composition.shutdown()
    }

    @Test func `a machine whose clock contradicts the database server's is not ready, though it can write`()
        async throws
    {
        let settings = try settings()
        _ = try migrate(settings)
        // The test's time is no real one.
        let first = try composition(settings)
        try await Application(responder: first.http().responder()).test(.router) { client in
            let reply = try await client.execute(uri: "/readyz", method: .get)
            let body = String(buffer: reply.body)
            #expect(reply.status == .serviceUnavailable, "\(body)")
            #expect(body.contains(#""clock":"skewed""#) && body.contains(#""store":"ok""#), "\(body)")
        }
        #expect(first.audit.sweepTime.now == nil)
        await first.shutdown()
    }

    // T-097
    @Test func `a daemon that others don't hear is not ready, though it can write, and a command is refused`()
        async throws
    {
        var own = try settings()
        // The test's time is no real one.
        own.storage.postgres?.comparesClocks = false
        _ = try migrate(own)
        let daemon = try composition(own, as: .daemon)
        let now = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
        try await database.run(
            """
            INSERT INTO nodes (name, life, version, config, encryption_key, started_at, lease_until, notices)
            VALUES ('node-1', 'x', '', '', '', 0, \(now) + 600000, 'poll')
            """
        )
        // The daemon reads it when it renews its lease.
        for _ in 0..<200 where !daemon.stores.upkeep.nodes.peers.isUnheard {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await Application(responder: daemon.http().responder()).test(.router) { client in
            let reply = try await client.execute(uri: "/readyz", method: .get)
            let body = String(buffer: reply.body)
            #expect(reply.status == .serviceUnavailable, "\(body)")
            #expect(body.contains(#""reason":"unheard""#) && body.contains(#""store":"ok""#), "\(body)")
        }
        let error = #expect(throws: PostgresOpenError.self) { try composition(own, as: .command) }
        #expect(error?.reason == .otherNotices(node: "node-1", notices: "poll"))
        await daemon.shutdown()
    }

    // T-271
    @Test func `attack: an id outside does not show its bucket and time, and stays the same over a restart`()
        async throws
    {
        let settings = try settings()
        _ = try migrate(settings)
        let first = try composition(settings)
        let account = try await first.accounts.add(NewAccount(email: "ada@example.com", name: "Ada"))
        await first.shutdown()
        let stored = try #require(
            UUIDBits(try await database.run("SELECT id FROM accounts").first?.first.flatMap(\.self) ?? "")
        )
        #expect(stored.version == 8 && account.account.id.bits.version == 8)
        #expect(stored.high != account.account.id.bits.high && stored.low == account.account.id.bits.low)
        let second = try composition(settings, seed: 2)
        #expect(try await second.accounts.show("ada@example.com").account.id == account.account.id)
        await second.shutdown()
    }

    // T-215
    @Test func `a database whose key of ids is gone is refused while an id relies on it`() async throws {
        let settings = try settings()
        _ = try migrate(settings)
        let first = try composition(settings)
        _ = try await first.accounts.add(NewAccount(email: "ada@example.com", name: "Ada"))
        await first.shutdown()
        try await database.run("UPDATE key_mark SET id_mask = NULL, sealing_key = NULL")
        let error = await #expect(throws: PostgresOpenError.self) { try await start(settings) }
        #expect(error?.message.contains("the key of the ids is gone") == true, "\(String(describing: error))")
        try await database.run("DELETE FROM accounts")
        // After a move accounts may have ids of version 7, and what is newer those of version 8.
        let digest = "decode(repeat('00', 32), 'hex')"
        try await database.run(
            """
            INSERT INTO email_codes (id, account, address, client, device, digits, link, created_at, expires_at, wrong_tries)
            VALUES ('00000000-0000-8000-8000-000000000001', '', \(digest), '', 'd', \(digest), \(digest), 0, 0, 0)
            """
        )
        await #expect(throws: PostgresOpenError.self) { try await start(settings) }
        try await database.run("DELETE FROM email_codes")
        try await start(settings)
        let tables = try await database.run(
            """
            SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'id'
                AND data_type = 'text' AND table_name <> 'oauth_clients'
            """
        )
        #expect(Set(tables.flatMap { $0.compactMap(\.self) }) == Set(PostgresDatabase.tablesOfIDs))
    }
}
