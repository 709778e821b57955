package import Audit
package import Kernel
import Testing

/// The contract of every store of the audit, one case a promise.
package enum AuditStoreContract: String, StorePromise {
    case chains = "the chains of a node are found, also one of a lane that is not used any more, and no other node's"
    case ordered = "a node's rows come back in order, as they were written, and another node's do not"
    case ends = "the end of the chain is the last row, and its newest rows come last first"
    case events = "the newest row of some events is found"
    case searched = "rows of a range are found by event, subject, account and time, the last first"
    case deletes = "the first rows are deleted up to one, in batches, and what they hashed to is still known"

    /// Checks this promise over an empty store.
    package func check(over store: some AuditStore, _ unitOfWork: some UnitOfWork) async throws {
        let subject = AuditUnderTest(store: store, unitOfWork: unitOfWork)
        let rows = (1...5).map { AuditSample.row($0) }
        try await unitOfWork.run { transaction in
            for row in rows { try store.append(row, in: transaction) }
            try store.append(AuditSample.row(1, node: "other"), in: transaction)
        }
        switch self {
        case .chains: try await subject.checkChains()
        case .ordered: try await subject.checkOrder(rows)
        case .ends: try await subject.checkEnd(rows)
        case .events: try await subject.checkEvents(rows)
        case .searched: try await subject.checkSearch()
        case .deletes: try await subject.checkDeleting(rows)
        }
    }
}

private enum AuditSample {
    static func row(_ number: Int64, node: String = "local") -> AuditRow {
        AuditRow(
            node: node,
            number: number,
            entry: AuditEntry(
                at: OperationSample.start + .seconds(number),
                event: number.isMultiple(of: 2) ? "test.even" : "test.odd",
                subject: "row \(number)",
                account: number == 1 ? AccountSample.id(1) : nil,
                detail: number == 2 ? "detail" : nil
            ),
            previousHash: OperationSample.digest("audit", UInt64(number - 1)),
            hash: OperationSample.digest("audit", UInt64(number))
        )
    }
}

private struct AuditUnderTest<Store: AuditStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let unitOfWork: Work

    func checkSearch() async throws {
        let start = OperationSample.start
        func found(
            _ filter: AuditFilter,
            in numbers: ClosedRange<Int64> = 1...9,
            limit: Int = 9
        ) async throws -> [Int64] {
            try await store.newest(of: "local", in: numbers, matching: filter, limit: limit).map(\.number)
        }
        #expect(try await found(AuditFilter()) == [5, 4, 3, 2, 1])
        #expect(try await found(AuditFilter(), in: 2...4, limit: 2) == [4, 3])
        #expect(try await found(AuditFilter(event: "test.even")) == [4, 2])
        #expect(try await found(AuditFilter(event: "test.")) == [5, 4, 3, 2, 1])
        #expect(try await found(AuditFilter(event: "tes.")).isEmpty)
        #expect(try await found(AuditFilter(subject: "row 3")) == [3])
        #expect(try await found(AuditFilter(account: AccountSample.id(1))) == [1])
        #expect(try await found(AuditFilter(since: start + .seconds(2), until: start + .seconds(3))) == [3, 2])
        #expect(try await store.newest(of: "other", in: 1...9, matching: AuditFilter(), limit: 9).map(\.number) == [1])
    }

    func checkChains() async throws {
        let names = ["local.1", "local.10", "local.2", "local-1", "localhost", "local/1", "loca", "other.1"]
        #expect(try await store.chains(of: "local") == ["local"])
        #expect(try await store.chains(of: "nobody").isEmpty)
        try await run { [store] transaction in
            for name in names {
                for number in Int64(1)...3 { try store.append(AuditSample.row(number, node: name), in: transaction) }
            }
        }
        let found = ["local", "local.1", "local.10", "local.2"]
        #expect(try await store.chains(of: "local").sorted() == found)
        #expect(try await store.chains(of: "other").sorted() == ["other", "other.1"])
        let inUnit = try await run { [store] transaction in try store.chains(of: "local", in: transaction) }
        #expect(inUnit.sorted() == found)
        _ = try await run { [store] in try store.delete(of: "local", through: 9, limit: 9, in: $0) }
        _ = try await run { [store] in try store.delete(of: "local.2", through: 9, limit: 9, in: $0) }
        #expect(try await store.chains(of: "local").sorted() == ["local.1", "local.10"])
        let rows = try await store.rows(of: "local.1", from: 1, limit: 9)
        #expect(rows.map(\.node) == ["local.1", "local.1", "local.1"])
    }

    func checkOrder(_ rows: [AuditRow]) async throws {
        #expect(try await store.rows(of: "local", from: 1, limit: 9) == rows)
        #expect(try await store.rows(of: "local", from: 2, limit: 3) == Array(rows[1...3]))
        #expect(try await store.rows(of: "other", from: 1, limit: 9) == [AuditSample.row(1, node: "other")])
        #expect(try await store.rows(of: "nobody", from: 1, limit: 9).isEmpty)
        await #expect(throws: (any Error).self) {
            try await run { [store] in try store.append(rows[4], in: $0) }
        }
    }

    func checkEnd(_ rows: [AuditRow]) async throws {
        let heads = try await run { [store] in
            [try store.head(of: "local", in: $0), try store.head(of: "nobody", in: $0)]
        }
        #expect(heads == [AuditHead(number: 5, hash: rows[4].hash), nil])
        #expect(try await store.newest(of: "local", limit: 2) == [rows[4], rows[3]])
    }

    func checkEvents(_ rows: [AuditRow]) async throws {
        #expect(try await store.newest(of: "local", events: ["test.even"]) == rows[3])
        #expect(try await store.newest(of: "local", events: ["test.even", "test.odd"]) == rows[4])
        #expect(try await store.newest(of: "local", events: ["test.none"]) == nil)
    }

    func checkDeleting(_ rows: [AuditRow]) async throws {
        func delete(through number: Int64) async throws -> Int {
            try await run { [store] in try store.delete(of: "local", through: number, limit: 2, in: $0) }
        }
        #expect(try await delete(through: 3) == 2)
        #expect(try await delete(through: 3) == 1)
        #expect(try await delete(through: 3) == 0)
        #expect(try await store.rows(of: "local", from: 1, limit: 9) == Array(rows[3...]))
        let hashes = try await run { [store] transaction in
            try [2, 3, 4, 5, 6].map { try store.hash(of: "local", at: $0, in: transaction) }
        }
        #expect(hashes == [nil, rows[2].hash, rows[3].hash, rows[4].hash, nil])
        #expect(try await store.rows(of: "other", from: 1, limit: 9).count == 1)
    }
}
