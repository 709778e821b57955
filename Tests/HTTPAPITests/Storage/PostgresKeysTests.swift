import Audit
import Foundation
import Kernel
import MemoryStore
import Operations
import PostgresServer
import Testing
import TokenReading
import Tokens

@testable import Assembly
@testable import Settings

/// The signing keys of daemons that share a PostgreSQL database.
struct PostgresKeysTests {
    private let folder: TestFolder
    private let time = VirtualTime()
    private let database: TestPostgresDatabase

    init() async throws {
        folder = try TestFolder()
        database = try await MigratedDatabase.postgres()
    }

    /// The laptop's settings with the data folder of that name, over the database or over a file in the folder.
    private func settings(_ name: String, overDatabase: Bool = true) throws -> Settings {
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
            overrides: overDatabase ? ["storage.postgres.url=\(database.url)", "storage.postgres.poolSize=2"] : []
        )
        return try SettingsLoader(files: SettingsFiles { _ in .missing }).load(sources).settings
    }

    /// The settings of one more data folder, which has the root key of the others and nothing else.
    private func settings(_ name: String, rootOf other: Settings) throws -> Settings {
        let settings = try settings(name)
        try FileManager.default.createDirectory(
            atPath: settings.secrets.keyFolder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        try FileManager.default.copyItem(
            atPath: "\(other.secrets.keyFolder)/root.key",
            toPath: "\(settings.secrets.keyFolder)/root.key"
        )
        return settings
    }

    private func composition(_ settings: Settings, seed: UInt64 = 1) throws -> Composition {
        try Composition(
            settings,
            as: .only,
            environment: time.environment(seed: seed),
            logger: LogRecorder().logger,
            migrating: true,
            faceProviders: [ScriptedFaceProvider(name: ProviderName("mock"))],
            banks: ScriptedBank()
        )
    }

    // T-266
    @Test func `daemons have the same keys, and what one rotates another learns and does not record`() async throws {
        let own = try settings("first")
        let first = try composition(own)
        let second = try composition(try settings("second", rootOf: own), seed: 2)
        #expect(first.keys.snapshot.keys == second.keys.snapshot.keys)
        // An address has as many open challenges on all daemons together as on one.
        #expect(first.passkeys.sourceKey.expose() == second.passkeys.sourceKey.expose())
        #expect(!FileManager.default.fileExists(atPath: "\(own.secrets.keyFolder)/signing"))
        let next = try await first.keys.apart { [now = time.wall] in try $0.rotate(now: now, unannounced: true) }
        await second.keyRotation.advance()
        #expect(second.keys.snapshot.keys == first.keys.snapshot.keys)
        await first.keyAuditLog.handOver()
        let recorded = try await first.audit.newest(100).map(\.entry).filter { $0.event.hasPrefix("keys.") }
        #expect(recorded.map(\.event) == ["keys.rotated"] && recorded.map(\.subject) == [next.text])
        await first.shutdown()
        await second.shutdown()
    }

    @Test func `keys that one daemon made beside its file go along to PostgreSQL`() async throws {
        let alone = try composition(try settings("own", overDatabase: false))
        let keys = alone.keys.snapshot.keys
        await alone.shutdown()
        let shared = try composition(try settings("own"))
        #expect(shared.keys.snapshot.keys == keys)
        #expect(try await database.run("SELECT name, version FROM key_rings") == [["signing", "1"]])
        await shared.shutdown()
    }

    // T-211
    @Test func `attack: a start names a row of keys that was changed, and leaves it`() async throws {
        let settings = try settings("own")
        await (try composition(settings)).shutdown()
        try await database.run("UPDATE key_rings SET content = content || '\\x41' WHERE name = 'signing'")
        let row = try await database.run("SELECT * FROM key_rings")
        let error = #expect(throws: KeyError.self) { try composition(settings) }
        #expect(error.map { "\($0)" }?.contains("the row `signing` of key_rings is damaged") == true)
        #expect(try await database.run("SELECT * FROM key_rings") == row)
    }
}
