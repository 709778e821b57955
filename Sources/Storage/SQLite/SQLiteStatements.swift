import GRDB

/// The prepared statements of the writing connection, found by a few bytes of their text.
///
/// GRDB hashes the whole text at each use. A sign-in runs about thirty statements of some hundred bytes each on the
/// only thread that writes, and the hashes took longer than some of the statements.
///
/// It is used on the writing queue of GRDB only.
final class SQLiteStatements: @unchecked Sendable {
    private var byText: [StatementText: Statement] = [:]
    private var isOver = false

    /// Returns the statement with that text, which GRDB prepares once.
    func statement(_ sql: String, _ database: Database) throws -> Statement {
        if let known = byText[StatementText(sql: sql)] { return known }
        let statement = try database.cachedStatement(sql: sql)
        if !isOver { byText[StatementText(sql: sql)] = statement }
        return statement
    }

    /// Lets go of the statements for good, because a connection with statements can't be closed.
    func end() {
        isOver = true
        byText = [:]
    }

    /// The number of statements.
    var count: Int { byText.count }
}

/// The text of a statement, hashed by its length and by three words of it.
///
/// Texts with the same hash are compared as a whole, so that a statement is never taken for another one.
struct StatementText: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) {
        var sql = sql
        sql.withUTF8 { utf8 in
            hasher.combine(utf8.count)
            guard utf8.count >= 8 else { return }
            let bytes = UnsafeRawBufferPointer(utf8)
            // Texts of one table begin alike, and differ later.
            for quarter in 1...3 {
                let offset = (utf8.count - 8) * quarter / 3
                hasher.combine(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
        }
    }
}
