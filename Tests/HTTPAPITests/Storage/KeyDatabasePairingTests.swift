import Audit
import GRDB
import Kernel
import MemoryStore
import Settings
import Testing
import Tokens

@testable import Assembly
@testable import Storage

/// A database of before there were marks, beside keys that may be anybody's: its audit says whose it is.
struct KeyDatabasePairingTests {
    /// A database without a mark that has so many rows in its audit.
    private static func unmark(_ harness: Harness, rows: Int) async throws {
        let (chain, now) = (harness.composition.audit.chain, harness.time.wall)
        try await harness.database.pool.write { database in
            try database.execute(sql: "DELETE FROM key_mark; DELETE FROM audit")
        }
        try await harness.composition.unitOfWork.run { transaction in
            for _ in 0..<rows {
                let entry = AuditEntry(at: now, event: "test.row", subject: "s", account: nil, detail: nil)
                try chain.append(entry, in: transaction)
            }
        }
    }

    private static func check(_ harness: Harness, beside keys: String? = nil) throws {
        var settings = harness.settings
        if let keys { settings.secrets.keyFolder = keys }
        try KeyDatabasePairing.check(settings, environment: harness.time.environment())
    }

    /// Keys of another server.
    private static func foreignKeys(_ harness: Harness) throws -> String {
        let path = "\(harness.folder.path)/foreign"
        _ = try KeyFolder.open(at: path, environment: harness.time.environment(seed: 99))
        return path
    }

    @Test func `attack: a database without a key mark refuses another server's keys, and gets no mark by the check`()
        async throws
    {
        try await Harness.run(storage: .sqlite) { harness in
            try await Self.unmark(harness, rows: 3)
            let foreign = try Self.foreignKeys(harness)
            let error = #expect(throws: UnusableFilesError.self) { try Self.check(harness, beside: foreign) }
            #expect(error?.message.contains("belongs to other keys than those in \(foreign)") == true)
            try Self.check(harness)
            #expect(try SQLiteDatabase.keyMark(harness.settings.storage.sqlite) == nil, "looking marks nothing")
        }
    }

    @Test func `one row of the audit that was changed in the file keeps no server from its own keys`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            try await Self.unmark(harness, rows: 3)
            try await harness.database.pool.write { database in
                try database.execute(sql: "UPDATE audit SET detail = 'changed' WHERE number = 3")
            }
            try Self.check(harness)
        }
    }

    @Test func `a database in which nothing tells takes the keys that are there`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            try await Self.unmark(harness, rows: 0)
            try Self.check(harness, beside: try Self.foreignKeys(harness))
        }
    }
}
