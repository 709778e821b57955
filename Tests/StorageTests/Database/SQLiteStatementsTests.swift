import GRDB
import Kernel
import Testing

@testable import Storage

@Suite struct SQLiteStatementsTests {
    @Test func `a statement is prepared once for each text, and texts that differ in one byte are two`() throws {
        let queue = try DatabaseQueue()
        try queue.inDatabase { database in
            let statements = SQLiteStatements()
            let texts = (0..<64).map {
                "SELECT '\(String(repeating: "a", count: $0))b\(String(repeating: "a", count: 63 - $0))'"
            }
            let prepared = try texts.map { try statements.statement($0, database) }
            #expect(Set(prepared.map(ObjectIdentifier.init)).count == texts.count && statements.count == texts.count)
            for (text, statement) in zip(texts, prepared) {
                #expect(try statements.statement(text + "", database) === statement)
                #expect(statement.sql == text)
            }
        }
    }

    @Test func `the units of work keep their statements until the database is closed`() async throws {
        let file = try TestDatabase()
        let database = try file.open()
        let unitOfWork = SQLiteUnitOfWork(database)
        for _ in 1...3 {
            let found = try await unitOfWork.run { try $0.connection().exists("SELECT 1 FROM schema_migrations") }
            #expect(found)
        }
        let count = try await database.pool.writeWithoutTransaction { _ in database.statements.count }
        #expect(count == 3, "the begin, the end and the unit's own")
        try database.close()
        #expect(database.statements.count == 0, "a connection with statements can't be closed")
    }

    @Test func `after its end it keeps nothing`() throws {
        let queue = try DatabaseQueue()
        try queue.inDatabase { database in
            let statements = SQLiteStatements()
            _ = try statements.statement("SELECT 1", database)
            statements.end()
            _ = try statements.statement("SELECT 2", database)
            #expect(statements.count == 0)
        }
        try queue.close()
    }
}
