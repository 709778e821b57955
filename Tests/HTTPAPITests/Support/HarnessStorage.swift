import Foundation
import MemoryStore
import Storage
import Testing

@testable import Assembly
@testable import Settings

/// Where a harness keeps its rows.
enum HarnessStorage: String, CustomTestStringConvertible {
    case memory
    /// A file in the harness' folder, for tests of faults of the disk, and of what is written there.
    case sqlite = "SQLite"
    /// A database that belongs to the harness' folder, on the server of the tests.
    case postgres = "PostgreSQL"

    /// Where a harness keeps them that says nothing: in memory, unless `VESTIBULE_TEST_STORAGE` says `postgres`.
    static let usual: HarnessStorage =
        ProcessInfo.processInfo.environment["VESTIBULE_TEST_STORAGE"] == "postgres" ? .postgres : .memory

    /// Where a harness keeps what a second one is to find.
    static let lasting: HarnessStorage = usual == .postgres ? .postgres : .sqlite

    /// The databases, for what outlives a daemon.
    static let databases: [HarnessStorage] = [.sqlite, .postgres]

    /// The usual storage and PostgreSQL, for one test of each feature.
    static let usualAndPostgres: [HarnessStorage] = usual == .postgres ? [.postgres] : [usual, .postgres]

    var testDescription: String { rawValue }

    /// Makes the place of the rows.
    ///
    /// - Returns: The stores, where they are not those that the settings name.
    func prepare(_ settings: inout Settings, in folder: TestFolder) async throws -> Stores? {
        switch self {
        case .memory:
            // A repeated unit would draw other random ids, by which mails of one moment are ordered.
            return .memory(MemoryDisk(repeatsUnits: false))
        case .sqlite:
            try MigratedDatabase.copy(to: settings.storage.sqlite.path)
            return nil
        case .postgres:
            settings.storage.postgres = try await folder.postgres()
            // The harness's time is another one than the server's.
            settings.storage.postgres?.comparesClocks = false
            return nil
        }
    }
}
