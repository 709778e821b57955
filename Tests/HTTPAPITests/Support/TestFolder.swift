import Foundation
import Kernel
import PostgresServer
import Storage
import Synchronization

/// A folder of a test's own, gone with the test.
final class TestFolder: Sendable {
    let path: String
    private let database = Mutex<TestPostgresDatabase?>(nil)

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "httpapi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the PostgreSQL database that belongs to the folder, as its file does to SQLite.
    ///
    /// It is made when it is first asked for.
    func postgres() async throws -> PostgresOptions {
        if let made = database.withLock(\.self) { return options(made) }
        let made = try await MigratedDatabase.postgres()
        database.withLock { $0 = made }
        return options(made)
    }

    private func options(_ database: TestPostgresDatabase) -> PostgresOptions {
        // The tests' time stands still and then leaps, so that a deadline on it measures nothing.
        PostgresOptions(url: Secret(database.url), poolSize: 4, deadline: .seconds(10 * 24 * 3600))
    }
}
