package import Audit
import GRDB

extension SQLiteDatabase {
    /// Returns the newest rows of each chain of the node's audit, the last first.
    ///
    /// The file is not changed.
    ///
    /// - Returns: An empty list for a missing file, and for a database that has no audit yet.
    /// - Throws: ``StoreOpenError`` for a file that can't be read, so that its rows are unknown.
    package static func newestAudit(
        _ options: Options,
        of node: String,
        limit: Int
    ) throws(StoreOpenError) -> [AuditRow] {
        do {
            let found: [AuditRow]? = try look(options) { (database: Database) throws -> [AuditRow] in
                guard try database.tableExists("audit") else { return [] }
                return try SQLAuditStore.newestOfEachChain(of: node, limit: limit, in: SQLConnection(database))
            }
            return found ?? []
        } catch {
            throw .reading(options.path, error)
        }
    }
}
