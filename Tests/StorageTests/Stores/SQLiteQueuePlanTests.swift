import GRDB
import Kernel
import OAuth
import Testing

@testable import Storage

/// The lengths, the ages and the pages of queues, which an index answers however long the queues are.
struct SQLiteQueuePlanTests {
    @Test(arguments: [
        (SQLMailQueueStore.queuedCount, "INDEX mail_queue_by_age"),
        (SQLMailQueueStore.oldestQueued, "INDEX mail_queue_by_age"),
        (SQLBackchannelStore.waitingCount, "COVERING INDEX backchannel_notices_due"),
        (SQLBackchannelStore.oldestWaiting, "INDEX backchannel_notices_by_age (delivery=?)"),
        (SQLLogoutNoticeStore.waitingCount, "COVERING INDEX logout_notices_due"),
        (SQLLogoutNoticeStore.oldestWaiting, "COVERING INDEX logout_notices_by_age"),
    ])
    func `the length and the age of a queue are read of an index`(_ sql: String, index: String) async throws {
        let steps = try await Self.plan(sql.replacing("?", with: "'1'"))
        #expect(steps.contains { $0.contains(index) }, "\(steps)")
        #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
    }

    @Test(arguments: [nil, "shop"])
    func `a page of notices begins where the index says, without sorting`(_ client: String?) async throws {
        let queues = [
            ("backchannel_requests", "notice_due_at", "operation", IDKind.operation, "backchannel_notices"),
            ("logout_notices", "due_at", "session", .session, "logout_notices"),
        ]
        let place = NoticePosition(dueAt: Instant(seconds: 1), subject: "a")
        for (table, due, subject, kind, index) in queues {
            let page = NoticesByClient.page(due, (subject, kind), of: client, after: place, limit: 9)
            let sql = "SELECT client FROM \(table) \(page.text)"
            let steps = try await Self.plan(sql.replacing("?", with: "'1'"))
            let isSought = steps.count == 1 && steps[0].contains("INDEX \(index)")
            #expect(isSought && steps[0].contains("(\(due),\(subject))>("), "\(steps)")
        }
    }

    private static func plan(_ sql: String) async throws -> [String] {
        let file = try TestDatabase()
        return try await file.open().pool.read { reader in
            try Row.fetchAll(reader, sql: "EXPLAIN QUERY PLAN " + sql).map { $0["detail"] as String }
        }
    }
}
