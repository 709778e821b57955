import GRDB
import Kernel
import Testing

@testable import Storage

/// The reads by which retention finds what it deletes.
struct ExpiringRowsTests {
    private static let kinds: [SQLExpiringRows] = [
        .operations, .sessions, .deviceLinks, .ownerlessDevices, .devices, .lockouts, .deviceAuthorizations,
        .emailCodes, .passkeyChallenges, .webSessions, .authorizationCodes, .interactions, .pushedRequests, .consents,
        .backchannelRequests, .bankEnrolments, .payments, .registrations, .mails, .usedMarks,
    ]

    private static let indexes = [
        "USING INDEX", "USING COVERING INDEX", "USING PRIMARY KEY", "USING INTEGER PRIMARY KEY",
    ]

    @Test(arguments: kinds)
    func `rows to be deleted are found by an index that begins with their time`(rows: SQLExpiringRows) async throws {
        let file = try TestDatabase()
        let plans = try await file.open().pool.write { database in
            var statements: [String] = []
            database.trace { if case .statement(let statement) = $0 { statements.append(statement.expandedSQL) } }
            _ = try rows.purge(Sample.now, 10, Transaction(context: SQLConnection(database)))
            database.trace(nil)
            return try statements.map { statement in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] as String }
            }
        }
        #expect(!plans.isEmpty)
        for plan in plans {
            let searches = plan.filter { $0.hasPrefix("SEARCH") }
            #expect(searches.allSatisfy { step in Self.indexes.contains { step.contains($0) } }, "\(plan)")
            #expect(searches.contains { $0.contains("<?)") }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }
}
