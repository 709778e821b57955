import Kernel
import Testing

@testable import Storage

/// Every kind of encrypted row, as a change of the encryption key finds it and writes it again.
struct SQLEncryptedRowsTests {
    @Test(arguments: EncryptedRowKind.allCases, StorageEngine.allCases)
    func `each row under another key is found once, and not again after it is written under the new key`(
        _ kind: EncryptedRowKind,
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            try await stores.tamper(ReleasedDatabase.inserts(engine))
            let rows = try await stores.walk(kind, by: 1)
            #expect(!rows.isEmpty)
            #expect(
                try await stores.walk(kind, by: 100).map(\.name) == rows.map(\.name),
                "pages of any size find the same rows"
            )
            for row in rows { #expect(try await stores.put(row)) }
            #expect(try await stores.walk(kind, by: 100).isEmpty)
            let found = try await SQLEncryptedRows(stores.database)
                .rows(kind, encryptedOtherwiseThanWith: "old", after: nil, limit: 100)
            #expect(found.map(\.name) == rows.map(\.name))
            for row in found { #expect(row.parts.compactMap { $0?.key }.allSatisfy { $0 == "new" }, "\(row.name)") }
            #expect(zip(found, rows).allSatisfy { $0.parts.map { $0 == nil } == $1.parts.map { $0 == nil } })
        }
    }

    @Test(arguments: EncryptedRowKind.allCases, StorageEngine.allCases)
    func `a row that was changed since it was read is not overwritten`(
        _ kind: EncryptedRowKind,
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            try await stores.tamper(ReleasedDatabase.inserts(engine))
            let row = try #require(try await stores.walk(kind, by: 100).first)
            #expect(try await stores.put(row))
            #expect(try await !stores.put(row))
        }
    }
}

extension StoreFixture {
    fileprivate func walk(_ kind: EncryptedRowKind, by limit: Int) async throws -> [EncryptedRow] {
        let store = SQLEncryptedRows(database)
        var rows: [EncryptedRow] = []
        while true {
            let next = try await store.rows(kind, encryptedOtherwiseThanWith: "new", after: rows.last, limit: limit)
            rows += next
            guard next.count == limit else { return rows }
        }
    }

    fileprivate func put(_ row: EncryptedRow) async throws -> Bool {
        let bytes = [UInt8](repeating: 7, count: 40)
        let parts = row.parts.map { part in part.map { _ in EncryptedRow.Part(key: "new", bytes: bytes) } }
        let store = SQLEncryptedRows(database)
        return try await unitOfWork.run { try store.put(parts, in: row, in: $0) }
    }
}
