import Audit
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// The log of checkpoints that several daemons share, on a real server.
struct PostgresCheckpointLogTests {
    private let database: TestPostgresDatabase

    init() async throws { database = try await PostgresServer.shared.migratedDatabase() }

    private func log(mostRemembered: Int = PostgresCheckpointLog.mostRemembered) -> PostgresCheckpointLog {
        PostgresCheckpointLog(database.options, clock: Environment.tests.clock, mostRemembered: mostRemembered)
    }

    @Test func `lines keep their order, and each daemon reads what others have appended`() throws {
        let (first, second) = (log(), log())
        #expect(try first.size() == 0)
        #expect(try first.append(["a", "b"], after: 0) == 2)
        #expect(try second.rememberedLines() == ["a", "b"])
        #expect(try second.append(["c"], after: 2) == 3)
        for log in [first, second] {
            #expect(try log.size() == 3)
            #expect(try log.rememberedLines() == ["a", "b", "c"])
            #expect(try log.lines() == ["a", "b", "c"])
            log.close()
        }
    }

    @Test func `a daemon that is behind appends nothing`() throws {
        let (first, second) = (log(), log())
        _ = try first.append(["a"], after: 0)
        #expect(throws: CheckpointRaceError.self) { try second.append(["b", "c"], after: 0) }
        #expect(throws: CheckpointRaceError.self) { try second.append(["b"], after: 2) }
        #expect(try second.append(["b"], after: 1) == 2)
        #expect(try first.lines() == ["a", "b"])
        first.close()
        second.close()
    }

    @Test func `of daemons that append at the same moment one is first each time, and no line is lost or torn apart`()
        async throws
    {
        let logs = (0..<4).map { _ in log() }
        let appended = Collected<String>()
        await withTaskGroup { group in
            for (number, log) in logs.enumerated() {
                group.addTask {
                    for round in 0..<10 {
                        let lines = ["\(number) \(round) a", "\(number) \(round) b"]
                        do {
                            _ = try log.append(lines, after: log.size())
                            for line in lines { appended.add(line) }
                        } catch is CheckpointRaceError {} catch { Issue.record("\(error)") }
                    }
                }
            }
        }
        let lines = try logs[0].lines()
        #expect(!lines.isEmpty && lines.sorted() == appended.all.sorted())
        for start in stride(from: 0, to: lines.count, by: 2) {
            #expect(lines[start].dropLast() == lines[start + 1].dropLast())
        }
        for log in logs { log.close() }
    }

    @Test func `a file of checkpoints is taken in once, whichever of several daemons is first`() async throws {
        let folder = try TestDatabase()
        let file = CheckpointFile(path: folder.folder + "/audit/checkpoints.jws")
        _ = try file.append(["a", "b", "c"], after: 0)
        let logs = (0..<4).map { _ in log() }
        await withTaskGroup { group in
            for log in logs {
                group.addTask {
                    let copied = CopiedCheckpointLog(log, copiedTo: file) { Issue.record("\($0)") }
                    let size = try? copied.size()
                    #expect(size == 3)
                }
            }
        }
        #expect(try logs[0].lines() == ["a", "b", "c"])
        #expect(try file.lines() == ["a", "b", "c"])
        for log in logs { log.close() }
    }

    @Test func `a daemon remembers a bounded number of lines, and reads the later ones each time`() async throws {
        let log = self.log(mostRemembered: 2)
        _ = try log.append(["a", "b", "c"], after: 0)
        #expect(try log.rememberedLines() == ["a", "b", "c"])
        try await database.run("UPDATE checkpoints SET line = 'x' WHERE number > 1")
        #expect(try log.rememberedLines() == ["a", "b", "x"])
        _ = try log.append(["d"], after: 3)
        #expect(try log.rememberedLines() == ["a", "b", "x", "d"])
        log.close()
    }

    // T-213
    @Test func `attack: deleted and changed lines are not hidden by what a daemon remembers`() async throws {
        let log = self.log()
        _ = try log.append(["a", "b", "c"], after: 0)
        #expect(try log.rememberedLines() == ["a", "b", "c"])
        try await database.run("UPDATE checkpoints SET line = 'x' WHERE number = 2")
        #expect(try log.lines() == ["a", "x", "c"], "a verification reads all of them")
        try await database.run("DELETE FROM checkpoints WHERE number = 3")
        #expect(try log.size() == 2)
        #expect(try log.rememberedLines() == ["a", "x"])
        #expect(throws: CheckpointRaceError.self) { try log.append(["d"], after: 3) }
        log.close()
    }

    @Test func `the log connects again after its connection was lost, and refuses after it was closed`() async throws {
        let log = self.log()
        _ = try log.append(["a"], after: 0)
        for backend in try await PostgresServer.shared.backends(of: database.name) {
            try await database.run("SELECT pg_terminate_backend(\(backend), 5000)")
        }
        // What uses the lost connection goes on with another one.
        #expect(try log.size() == 1)
        log.close()
        log.close()
        #expect(throws: StoreError.self) { try log.size() }
    }
}
