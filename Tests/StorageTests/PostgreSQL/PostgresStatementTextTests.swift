import Testing

@testable import Storage

/// The placeholders of the stores' SQL in PostgreSQL's spelling.
struct PostgresStatementTextTests {
    @Test(arguments: [
        ("SELECT 1", "SELECT 1", 0),
        ("SELECT * FROM t WHERE a = ? AND b = ?", "SELECT * FROM t WHERE a = $1 AND b = $2", 2),
        ("UPDATE t SET a = ?1 WHERE a <> ?1 AND b = ?2", "UPDATE t SET a = $1 WHERE a <> $1 AND b = $2", 2),
        ("SELECT ?3, ?, ?1", "SELECT $3, $4, $1", 4),
        ("SELECT '?', ?, 'it''s ?', ?", "SELECT '?', $1, 'it''s ?', $2", 2),
        ("SELECT \"a?\" FROM t WHERE b = ?", "SELECT \"a?\" FROM t WHERE b = $1", 1),
        ("SELECT ? -- what?\n, ?", "SELECT $1 -- what?\n, $2", 2),
        ("SELECT a - ?, b -?", "SELECT a - $1, b -$2", 2),
        ("IN (?, ?, ?)", "IN ($1, $2, $3)", 3),
        ("SELECT 'å?' || ?12", "SELECT 'å?' || $12", 12),
        ("SELECT 'open ?", "SELECT 'open ?", 0),
        ("?", "$1", 1),
    ])
    func `each placeholder outside of quotes and comments gets its number`(_ sql: String, text: String, count: Int) {
        let statement = PostgresStatementText(sql)
        #expect(statement.text == text)
        #expect(statement.parameterCount == count)
    }

    @Test func `attack: lists of any length take no names from the other statements`() {
        var cache = PostgresStatementCache(capacity: 3)
        for length in 1...100 {
            let list = (0..<length).placeholders
            let statement = cache.statement(for: "SELECT 1 FROM t WHERE a IN (\(list)) AND b IN (?, ?)")
            #expect(statement.text.parameterCount == length + 2)
            #expect(statement.name.isEmpty == (length > 1))
        }
        #expect(!cache.statement(for: "SELECT 1").name.isEmpty)
    }

    @Test func `a statement keeps its name, and those beyond the capacity get none`() {
        var cache = PostgresStatementCache(capacity: 2)
        let first = cache.statement(for: "SELECT 1")
        let second = cache.statement(for: "SELECT 2")
        #expect(first.name != second.name)
        #expect(cache.statement(for: "SELECT 1") === first)
        let third = cache.statement(for: "SELECT 3")
        #expect(third.name.isEmpty)
        for statement in [first, third] { statement.notePreparation(succeeded: true) }
        #expect(first.isPrepared)
        #expect(!third.isPrepared, "the unnamed statement is prepared for each use")
        first.notePreparation(succeeded: false)
        #expect(!first.isPrepared)
    }
}
