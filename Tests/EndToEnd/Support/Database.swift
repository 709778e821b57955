import Crypto
import Foundation
import Kernel
import Testing

/// The daemon's database, looked at from outside with the `sqlite3` tool.
struct Database: Sendable {
    let path: String

    static let isReadable = Programs.isInstalled("sqlite3")
    static let missingTool: Comment = "sqlite3 is not installed (apt-get install sqlite3)"

    /// The rows of a query, each a list of columns.
    func rows(_ sql: String) async throws -> [[String]] {
        let run = try await CommandRun.run("sqlite3", ["-cmd", ".timeout 5000", "-separator", "|", path, sql])
        guard run.code == 0 else { throw ExpectationError("\(run)") }
        return run.output.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The only number of a query.
    func number(_ sql: String) async throws -> Int {
        let rows = try await rows(sql)
        guard let number = rows.first?.first.flatMap({ Int($0) }) else { throw ExpectationError("\(sql) gave \(rows)") }
        return number
    }

    /// Changes rows; the daemon must not be running.
    func change(_ sql: String) async throws { _ = try await rows(sql) }

    /// The condition that selects the row of an operation.
    static func isOperation(_ publicID: String) throws -> String {
        guard let bits = UUIDBits(publicID) else { throw ExpectationError("\(publicID) is not a UUID") }
        let digest = SHA256.hash(data: bits.bytes).map { String(format: "%02x", $0) }.joined()
        return "public_id = X'\(digest)'"
    }

    /// The state of an operation.
    func state(of publicID: String) async throws -> String? {
        try await rows("SELECT state FROM operations WHERE \(Self.isOperation(publicID))").first?.first
    }

    /// Operations for which more than one redemption is on record.
    func redeemedTwice() async throws -> Int {
        try await number(
            """
            SELECT COUNT(*) FROM (SELECT subject FROM audit WHERE fact = 'operation.redeemed' \
            GROUP BY subject HAVING COUNT(*) > 1)
            """
        )
    }

    /// Operations that should have ended more than five seconds ago.
    func overdue() async throws -> Int {
        try await number(
            """
            SELECT COUNT(*) FROM operations WHERE state IN ('created', 'opened', 'pending') \
            AND deadline + 5000 < (julianday('now') - 2440587.5) * 86400000
            """
        )
    }

    /// Brings the deadline of the operations that match to `seconds` from now; the daemon must not be running.
    func moveDeadlines(to seconds: Int, where condition: String) async throws {
        try await change(
            """
            UPDATE operations SET deadline = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + \
            \(seconds * 1000) WHERE \(condition)
            """
        )
    }
}
