import Foundation
import Kernel
import MemoryStore
import PostgresServer
import Storage

/// A database without rows, migrated once in a process and copied for each bench: a migration syncs the disk.
enum MigratedDatabase {
    private static let template = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "template-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "vestibule.sqlite")
        let options = SQLiteDatabase.Options(path: file.path())
        try SQLiteDatabase.open(options, migrating: true, at: Instant(milliseconds: 0)).database.close()
        return try Data(contentsOf: file)
    }

    /// Puts a copy there, unless the file is there already.
    static func copy(to path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try template.get().write(to: URL(filePath: path))
    }

    /// Makes a copy on the server of the tests.
    static func postgres() async throws -> TestPostgresDatabase {
        try await PostgresServer.shared.database(copying: "http") { url in
            _ = try PostgresDatabase.migrate(
                PostgresOptions(url: Secret(url)),
                environment: VirtualTime().environment(seed: 1)
            )
        }
    }
}
