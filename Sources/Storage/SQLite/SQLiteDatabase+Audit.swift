package import Audit
import GRDB

extension SQLiteDatabase {
    /// Returns the newest rows of the node's audit, the last first; the file is left as it is.
    ///
    /// - Returns: None for a file that isn't there, and for a database that has no audit yet.
    /// - Throws: ``StoreOpenError``, for a file that can't be read: nobody knows then.
    package static func newestAudit(
        _ options: Options,
        of node: String,
        limit: Int
    ) throws(StoreOpenError) -> [AuditRow] {
        do {
            let found: [AuditRow]? = try look(options) { (database: Database) throws -> [AuditRow] in
                guard try database.tableExists("audit") else { return [] }
                return try SQLAuditStore.newest(of: node, limit: limit, in: SQLConnection(database))
            }
            return found ?? []
        } catch {
            throw .reading(options.path, error)
        }
    }
}
