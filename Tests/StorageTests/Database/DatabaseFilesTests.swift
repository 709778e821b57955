import Foundation
import GRDB
import Kernel
import StoreContract
import Synchronization
import Testing

@testable import Storage

/// The files are deleted, replaced or damaged under a daemon that has them open.
struct DatabaseFilesTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork
    private let told = Told()

    init() throws {
        file = try TestDatabase()
        database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database, onCommit: told.add)
    }

    // T-261
    @Test(arguments: ["", "-wal"])
    func `a file that was deleted takes no unit any more, and the cause says what to do`(_ suffix: String) async throws
    {
        try await add(1)
        try FileManager.default.removeItem(atPath: file.path + suffix)
        for _ in 0..<2 {
            let failure = await failure { try await add(2) }
            #expect(failure?.isUnavailable == true)
            #expect(failure?.cause.contains("\(file.path)\(suffix) was deleted or replaced") == true)
            #expect(failure?.cause.contains("Stop the daemon") == true)
        }
        #expect(await self.failure { try await unitOfWork.checkDurable() }?.isUnavailable == true)
        #expect(told.failures.map { $0?.isUnavailable } == [nil, true, true, true])
    }

    // T-261
    @Test func `a file that was replaced takes no unit, and does again once the open one is put back`() async throws {
        try await add(1)
        let (kept, copy) = (file.folder + "/kept", file.folder + "/copy")
        try FileManager.default.copyItem(atPath: file.path, toPath: copy)
        try FileManager.default.moveItem(atPath: file.path, toPath: kept)
        try FileManager.default.moveItem(atPath: copy, toPath: file.path)
        #expect(await failure { try await add(2) }?.isUnavailable == true)
        try FileManager.default.removeItem(atPath: file.path)
        try FileManager.default.moveItem(atPath: kept, toPath: file.path)
        try await add(2)
        try await unitOfWork.checkDurable()
        #expect(told.failures.map { $0 == nil } == [true, false, true, true])
    }

    // T-261
    @Test func `once a unit meets a damaged page the store is not durable, and that is told once`() async throws {
        for number in 1...50 { try await add(UInt64(number)) }
        let page = try await database.pool.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'accounts'")
        }
        try database.close()
        var bytes = try file.bytes
        let start = (try #require(page) - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xFF, count: 4096))
        try file.write(bytes)

        let damaged = try file.open()
        let causes = Mutex<[String]>([])
        damaged.whenDamaged { cause in causes.withLock { $0.append(cause) } }
        let units = SQLiteUnitOfWork(damaged)
        try await units.checkDurable()
        let store = SQLAccountStore(damaged)
        for _ in 0..<2 {
            let failure = await failure {
                try await units.run { try store.insert(Sample.account(99), in: $0) }
            }
            #expect(failure != nil)
        }
        #expect(causes.withLock { $0.count } == 1)
        guard case .corrupt = await failure({ try await units.checkDurable() }) else {
            Issue.record("it is still durable")
            return
        }
    }

    // T-261
    @Test func `a copy that is put back beside an older log is refused, and the fault says what to move`() async throws
    {
        // The copy: an early state of the file, complete in itself.
        for number in 1...5 { try await add(UInt64(number)) }
        try await checkpoint()
        let copy = try file.bytes
        // Later pages, most of them in the file, the last ones in the log alone.
        for number in 6...900 { try await add(UInt64(number)) }
        try await checkpoint()
        for number in 901...1000 { try await add(UInt64(number)) }
        let log = try Data(contentsOf: URL(filePath: file.path + "-wal"))
        try database.close()
        #expect(!log.isEmpty)
        // Elsewhere: a connection of this process that is not closed yet would lend its index of the log to the next one.
        let restored = try TestDatabase()
        try restored.write(log, to: "vestibule.sqlite-wal")
        try restored.write(copy)
        // Root's opening of the database does the same: it changes the owner of the log, and not its content.
        #expect(chmod(restored.path + "-wal", 0o600) == 0)
        let fault = try #require(restored.fault())
        guard case .foreignLog = fault else {
            Issue.record("\(fault.message)")
            return
        }
        #expect(fault.message.contains("\(restored.path)-wal") && fault.message.contains("\(restored.path)-shm"))
        #expect(fault.message.contains("a copy was put back"))
        // As it says.
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: restored.path + suffix) }
        #expect(restored.fault() == nil)
        #expect(try restored.count("accounts") == 5)
    }

    @Test func `a log that a killed process left behind is replayed`() async throws {
        for number in 1...5 { try await add(UInt64(number)) }
        let (bytes, log) = (try file.bytes, try Data(contentsOf: URL(filePath: file.path + "-wal")))
        try database.close()
        // The order in which a copy of both may well be put somewhere else.
        try file.write(log, to: "vestibule.sqlite-wal")
        try file.write(bytes)
        #expect(file.fault() == nil)
        #expect(try file.count("accounts") == 5)
    }

    private func add(_ number: UInt64) async throws {
        let store = SQLAccountStore(database)
        try await unitOfWork.run { try store.insert(Sample.account(number), in: $0) }
    }

    private func checkpoint() async throws {
        try await database.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    private func failure(_ body: () async throws -> Void) async -> StoreError? {
        do { try await body() } catch { return error as? StoreError }
        return nil
    }
}

/// How commits went, in their order.
private final class Told: Sendable {
    private let kept = Mutex<[StoreError?]>([])
    var failures: [StoreError?] { kept.withLock { $0 } }
    @Sendable func add(_ failure: StoreError?) { kept.withLock { $0.append(failure) } }
}
