import GRDB
import Testing

@testable import Storage

/// The reads of a sweep as SQLite plans them.
struct SQLiteSweepPlanTests {
    @Test(arguments: [
        "SELECT jti_hash, session FROM refresh_tokens WHERE expires_at < 5 ORDER BY expires_at LIMIT 5",
        "SELECT id FROM sessions WHERE revoked_at < 5 ORDER BY revoked_at LIMIT 5",
        "SELECT cookie FROM device_links WHERE expires_at < 5 ORDER BY expires_at LIMIT 5",
        "SELECT cookie FROM device_links WHERE revoked_at < 5 ORDER BY revoked_at LIMIT 5",
    ])
    func `a sweep looks at no more rows than it deletes`(_ query: String) throws {
        let file = try TestDatabase()
        try file.open().close()
        let plan = try file.rows("EXPLAIN QUERY PLAN " + query).map { $0["detail"] as String }
        #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH"), "\(plan)")
    }
}
