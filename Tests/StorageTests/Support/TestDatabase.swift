import Foundation
import GRDB
import Kernel

@testable import Storage

/// A database file in a folder of its own, gone with the test.
final class TestDatabase: Sendable {
    static let now = Instant(milliseconds: 1_800_000_000_123)

    let folder: String

    var path: String { folder + "/vestibule.sqlite" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "storage-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Opens it as the daemon does.
    func open(
        durability: SQLiteDatabase.Durability = .full,
        busyTimeout: Duration = .milliseconds(80),
        migrating: Bool = true
    ) throws -> SQLiteDatabase {
        let options = SQLiteDatabase.Options(path: path, durability: durability, busyTimeout: busyTimeout)
        return try SQLiteDatabase.open(options, migrating: migrating, at: Self.now).database
    }

    /// Opens it behind the daemon's back, as somebody else's program does.
    func outsider() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(2)
        // Some tests hold a lock across accesses.
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Runs that SQL behind the daemon's back.
    func tamper(_ sql: String) throws {
        let queue = try outsider()
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    func count(_ table: String) throws -> Int {
        let queue = try outsider()
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") } ?? -1
    }

    func rows(_ sql: String) throws -> [Row] {
        let queue = try outsider()
        defer { try? queue.close() }
        return try queue.read { try Row.fetchAll($0, sql: sql) }
    }

    var bytes: Data { get throws { try Data(contentsOf: URL(filePath: path)) } }

    func write(_ bytes: some DataProtocol, to name: String = "vestibule.sqlite") throws {
        try Data(bytes).write(to: URL(filePath: folder + "/" + name))
    }

    /// Returns the fault of opening it, if there is one.
    func fault(migrating: Bool = true, with migrator: Migrator = Migrator()) -> StoreOpenError? {
        do throws(StoreOpenError) {
            let options = SQLiteDatabase.Options(path: path, busyTimeout: .milliseconds(80))
            _ = try SQLiteDatabase.open(options, with: migrator, migrating: migrating, at: Self.now)
            return nil
        } catch { return error }
    }
}
