import Audit
import Foundation
import Kernel
import MemoryStore
import Operations
import PostgresServer
import Storage
import Testing

@testable import Assembly
@testable import Settings

/// The audit of two daemons on one PostgreSQL database, both of which think that they are the leader.
struct SharedCheckpointTests {
    private let folder: TestFolder
    private let time = VirtualTime()
    private let database: TestPostgresDatabase

    init() async throws {
        folder = try TestFolder()
        database = try await PostgresServer.shared.emptyDatabase()
        _ = try Composition.migrate(try settings("a"), environment: time.environment())
    }

    /// The settings of a daemon with the keys of all, and with a checkpoint file of its own.
    private func settings(_ name: String) throws -> Settings {
        let sources = SettingsSources(
            configFile: nil,
            workingFolder: folder.path,
            dataFolder: folder.path,
            overrides: [
                "storage.postgres.url=\(database.url)", "storage.postgres.poolSize=2",
                "audit.checkpoints=\(name)/log.jws",
            ]
        )
        return try SettingsLoader(files: SettingsFiles { _ in .missing }).load(sources).settings
    }

    private func start(_ settings: Settings, seed: UInt64) async throws -> Composition {
        let composition = try Composition(
            settings,
            as: .only,
            environment: time.environment(seed: seed),
            logger: LogRecorder().logger,
            migrating: false,
            faceProviders: [ScriptedFaceProvider(name: ProviderName("mock"))],
            banks: ScriptedBank()
        )
        await composition.audit.checkpoints.begin()
        return composition
    }

    /// Runs `body`, and stops the daemons, also when it throws.
    private func stopping(_ daemons: [Composition], after body: () async throws -> Void) async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        for daemon in daemons { await daemon.shutdown() }
        try result.get()
    }

    /// Writes a row, and signs.
    private func work(_ composition: Composition) async throws {
        let (chain, now) = (composition.audit.chain, time.wall)
        try await composition.unitOfWork.run { transaction in
            let entry = AuditEntry(at: now, event: "test.row", subject: "s", account: nil, detail: nil)
            try chain.append(entry, in: transaction)
        }
        // The other one may have been first each time.
        do { _ = try await composition.audit.checkpoint(isAnew: false) } catch is CheckpointRaceError {}
    }

    private func lines(_ name: String) throws -> [String] {
        try CheckpointFile(path: "\(folder.path)/\(name)/log.jws").lines()
    }

    // T-213, T-269
    @Test func `two daemons that sign at once keep one sound audit, and each has a copy of what it signed`()
        async throws
    {
        let daemons = [try await start(settings("a"), seed: 1), try await start(settings("b"), seed: 2)]
        try await stopping(daemons) {
            for _ in 0..<5 {
                try await withThrowingTaskGroup { group in
                    for daemon in daemons { group.addTask { try await work(daemon) } }
                    try await group.waitForAll()
                }
                for daemon in daemons {
                    let report = try await daemon.audit.verify(against: nil)
                    #expect(report.finding == .sound)
                }
            }
            let table = try await table()
            let (first, second) = (try lines("a"), try lines("b"))
            #expect(table.count > 5 && table.sorted() == (first + second).sorted())
            let copies = try await daemons[0].audit.verify(against: second + first)
            #expect(copies.finding == .sound)
        }
    }

    private func table() async throws -> [String] {
        try await database.run("SELECT line FROM checkpoints ORDER BY number").compactMap { $0.first ?? nil }
    }

    @Test func `the file of a single daemon begins the table, and a daemon without it goes on`() async throws {
        let alone = try await start(settings("a"), seed: 1)
        try await stopping([alone]) { try await work(alone) }
        let file = try lines("a")
        // As a move from SQLite leaves it: the rows, and their checkpoints in the file alone.
        try await database.run("DELETE FROM checkpoints")
        let first = try await start(settings("a"), seed: 3)
        let second = try await start(settings("b"), seed: 2)
        try await stopping([first, second]) {
            try await work(second)
            let report = try await second.audit.verify(against: nil)
            #expect(report.finding == .sound)
            let table = try await table()
            #expect(Array(table.prefix(file.count)) == file && table.count > file.count)
        }
    }
}
