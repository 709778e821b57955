import Audit
import GRDB
import Kernel
import MemoryStore
import Settings
import Testing
import Tokens

@testable import Storage
@testable import Vestibule

/// A database of before there were marks, beside keys that may be anybody's: its audit says whose it is.
struct KeysBesideRowsTests {
    /// A database without a mark that has so many rows in its audit.
    private static func unmark(_ bench: Bench, rows: Int) async throws {
        let (chain, now) = (bench.composition.audit.chain, bench.time.wall)
        try await bench.composition.database.pool.write { database in
            try database.execute(sql: "DELETE FROM key_mark; DELETE FROM audit")
        }
        try await bench.composition.unitOfWork.run { transaction in
            for _ in 0..<rows {
                let entry = AuditEntry(at: now, fact: "test.row", subject: "s", account: nil, detail: nil)
                try chain.append(entry, in: transaction)
            }
        }
    }

    private static func check(_ bench: Bench, beside keys: String? = nil) throws {
        var settings = bench.settings
        if let keys { settings.secrets.keyFolder = keys }
        try KeyDatabasePairing.check(settings, environment: bench.time.environment())
    }

    /// Keys of another server.
    private static func foreignKeys(_ bench: Bench) throws -> String {
        let path = "\(bench.folder.path)/foreign"
        _ = try KeyFolder.open(at: path, environment: bench.time.environment(seed: 99))
        return path
    }

    @Test func `attack: a database without a mark does not take the keys of another server`() async throws {
        try await Bench.run { bench in
            try await Self.unmark(bench, rows: 3)
            let foreign = try Self.foreignKeys(bench)
            let exit = #expect(throws: Exit.self) { try Self.check(bench, beside: foreign) }
            #expect(exit?.code == 74)
            #expect(exit?.message.contains("belongs to other keys than those in \(foreign)") == true)
            try Self.check(bench)
            #expect(try SQLiteDatabase.keyMark(bench.settings.storage) == nil, "looking marks nothing")
        }
    }

    @Test func `one row of the audit that was changed in the file keeps no server from its own keys`() async throws {
        try await Bench.run { bench in
            try await Self.unmark(bench, rows: 3)
            try await bench.composition.database.pool.write { database in
                try database.execute(sql: "UPDATE audit SET detail = 'changed' WHERE number = 3")
            }
            try Self.check(bench)
        }
    }

    @Test func `a database in which nothing tells takes the keys that are there`() async throws {
        try await Bench.run { bench in
            try await Self.unmark(bench, rows: 0)
            try Self.check(bench, beside: try Self.foreignKeys(bench))
        }
    }
}
