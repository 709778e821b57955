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
            (SQLBackchannelStore.queue, "backchannel_notices"), (SQLLogoutNoticeStore.queue, "logout_notices"),
        ]
        let place = NoticePosition(dueAt: Instant(seconds: 1), subject: "a")
        for (queue, index) in queues {
            let page = queue.page(of: client, after: place, limit: 9)
            let steps = try await Self.plan(page.text.replacing("?", with: "'1'"))
            let isSought = steps.count == 1 && steps[0].contains("INDEX \(index)")
            #expect(isSought && steps[0].contains("(\(queue.due),\(queue.subject.column))>("), "\(steps)")
        }
    }

    @Test func `expired tokens are read in the order of their index, and of no other rows`() async throws {
        let sql = SQLSessionStore.expired.replacing(#/\?[1-4]/#, with: "'1'")
        let steps = try await Self.plan(sql)
        #expect(steps.contains { $0.contains("refresh_tokens_by_expiry (expires_at>? AND expires_at<?)") }, "\(steps)")
        #expect(steps.contains("SEARCH sessions USING PRIMARY KEY (id=?)"), "\(steps)")
        #expect(steps.filter { $0.hasPrefix("SCAN") } == ["SCAN page"], "\(steps)")
    }

    private static func plan(_ sql: String) async throws -> [String] {
        let file = try TestDatabase()
        return try await file.open().pool.read { reader in
            try Row.fetchAll(reader, sql: "EXPLAIN QUERY PLAN " + sql).map { $0["detail"] as String }
        }
    }
}
