import Kernel
import Operations
import StoreContract
import Testing

@testable import Storage

/// The encrypted page of a scan, in the row of its operation.
struct SQLScanPageTests {
    private static let page = EncryptedScanPage("key.text")

    // T-209
    @Test(arguments: StorageEngine.allCases)
    func `the page is in the row while its scan is followed, and erased by the verdict and by every end`(
        _ engine: StorageEngine
    ) async throws {
        let ends = OperationSample.everyState.filter(\.name.isDecided)
        try await engine.run { stores in
            let store = SQLOperationStore(stores.database)
            for (number, end) in ends.enumerated() {
                let pending = Self.pending(UInt64(number), page: Self.page)
                try await stores.unitOfWork.run { try store.insert(pending, in: $0) }
                #expect(try await store.find(row: pending.id) == pending)
                #expect(try await Self.count(stores) == 1)
                let next = OperationSample.operation(UInt64(number), state: end, seq: 2)
                #expect(try await stores.unitOfWork.run { try store.update(next, over: 1, in: $0) })
                #expect(try await Self.count(stores) == 0, "\(end)")
            }
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `a scan begun elsewhere replaces the page, and one without a page erases it`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            let store = SQLOperationStore(stores.database)
            try await stores.unitOfWork.run { try store.insert(Self.pending(1, page: Self.page), in: $0) }
            var draft = OperationSample.draft(1, state: Self.state(EncryptedScanPage("key.other")), seq: 2)
            draft.provider = ProviderName("standby")
            let replaced = draft.operation
            #expect(try await stores.unitOfWork.run { try store.update(replaced, over: 1, in: $0) })
            #expect(try await store.find(row: replaced.id) == replaced)
            let without = OperationSample.operation(1, state: Self.state(nil), seq: 3)
            #expect(try await stores.unitOfWork.run { try store.update(without, over: 2, in: $0) })
            #expect(try await store.find(row: without.id) == without)
            #expect(try await Self.count(stores) == 0)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `a page that is encrypted again raises the version, so that no earlier one is written over it`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            let store = SQLOperationStore(stores.database)
            let pending = Self.pending(1, page: Self.page)
            try await stores.unitOfWork.run { try store.insert(pending, in: $0) }
            let rows = SQLEncryptedRows(stores.database)
            let found = try await rows.rows(.scanPages, encryptedOtherwiseThanWith: "new", after: nil, limit: 10)
            let row = try #require(found.first)
            #expect(found.count == 1 && row.name == .scan(pending.id, browser: OperationSample.digest("browser", 1)))
            let part = EncryptedRow.Part(key: "new", bytes: [7])
            #expect(try await stores.unitOfWork.run { try rows.put([part], in: row, in: $0) })
            let stored = try #require(try await store.find(row: pending.id))
            #expect(stored.seq == 2 && stored.state == Self.state(EncryptedScanPage(part.text)))
            let late = OperationSample.operation(1, state: Self.state(Self.page), seq: 2)
            #expect(try await !stores.unitOfWork.run { try store.update(late, over: 1, in: $0) })
        }
    }

    private static func state(_ page: EncryptedScanPage?) -> OperationState {
        .pending(OperationSample.scan(page: page))
    }

    private static func pending(_ number: UInt64, page: EncryptedScanPage?) -> Operations.Operation {
        OperationSample.operation(number, state: state(page))
    }

    private static func count(_ stores: StoreFixture) async throws -> Int {
        try await stores.count("operations WHERE scan_page IS NOT NULL")
    }
}
