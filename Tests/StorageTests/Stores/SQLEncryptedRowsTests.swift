import Foundation
import Testing

@testable import Storage

/// Every kind of encrypted row, as a change of the encryption key finds it and writes it again.
struct SQLEncryptedRowsTests {
    private let file: TestDatabase
    private let unitOfWork: SQLiteUnitOfWork
    private let store: SQLEncryptedRows

    /// Opens the database of the first release, which has rows of every kind.
    init() throws {
        file = try TestDatabase()
        let dump = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/schema-0.1.0.sql")
        try file.tamper(String(contentsOf: dump, encoding: .utf8))
        let database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        store = SQLEncryptedRows(database)
    }

    @Test(arguments: EncryptedRowKind.allCases)
    func `each row under another key is found once, and not again after it is written under the new key`(
        _ kind: EncryptedRowKind
    ) async throws {
        let rows = try await walk(kind, by: 1)
        #expect(!rows.isEmpty)
        #expect(try await walk(kind, by: 100).map(\.name) == rows.map(\.name), "pages of any size find the same rows")
        for row in rows { #expect(try await put(row)) }
        #expect(try await walk(kind, by: 100).isEmpty)
        let found = try await store.rows(kind, encryptedOtherwiseThanWith: "old", after: nil, limit: 100)
        #expect(found.map(\.name) == rows.map(\.name))
        for row in found { #expect(row.parts.compactMap { $0?.key }.allSatisfy { $0 == "new" }, "\(row.name)") }
        #expect(zip(found, rows).allSatisfy { $0.parts.map { $0 == nil } == $1.parts.map { $0 == nil } })
    }

    @Test(arguments: EncryptedRowKind.allCases)
    func `a row that was changed since it was read is not overwritten`(_ kind: EncryptedRowKind) async throws {
        let row = try #require(try await walk(kind, by: 100).first)
        #expect(try await put(row))
        #expect(try await !put(row))
    }

    private func walk(_ kind: EncryptedRowKind, by limit: Int) async throws -> [EncryptedRow] {
        var rows: [EncryptedRow] = []
        while true {
            let next = try await store.rows(kind, encryptedOtherwiseThanWith: "new", after: rows.last, limit: limit)
            rows += next
            guard next.count == limit else { return rows }
        }
    }

    private func put(_ row: EncryptedRow) async throws -> Bool {
        let bytes = [UInt8](repeating: 7, count: 40)
        let parts = row.parts.map { part in part.map { _ in EncryptedRow.Part(key: "new", bytes: bytes) } }
        return try await unitOfWork.run { [store] in try store.put(parts, in: row, in: $0) }
    }
}
