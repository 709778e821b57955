import GRDB
import Kernel
import Operations
import StoreContract
import Testing

@testable import Storage

/// A store that can't write: the errors of its callers, and its recovery by itself.
struct CommitFailureTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let store: SQLOperationStore
    private let unitOfWork: SQLiteUnitOfWork

    init() throws {
        file = try TestDatabase()
        database = try file.open()
        store = SQLOperationStore(database)
        unitOfWork = SQLiteUnitOfWork(database)
    }

    @Test func `another program that holds the lock makes the store unavailable until it lets go`() async throws {
        let outsider = try file.outsider()
        try await outsider.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let failure = await failure { try await insert(1) }
        #expect(failure?.isUnavailable == true)
        #expect(failure?.cause.contains("locked") == true)
        #expect(await self.failure { try await unitOfWork.checkDurable() }?.isUnavailable == true)
        #expect(try await store.find(row: OperationSample.operation(1).id) == nil, "reading still works")
        try await outsider.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await insert(1)
        try await unitOfWork.checkDurable()
        #expect(try file.count("operations") == 1)
    }

    @Test func `a lock that is given back in time is waited for`() async throws {
        let patient = try file.open(busyTimeout: .seconds(60))
        let outsider = try file.outsider()
        try await outsider.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await SQLiteUnitOfWork(patient).run { [store] transaction in
                    try store.insert(OperationSample.operation(1), in: transaction)
                }
            }
            try await Task.sleep(for: .milliseconds(50))
            try await outsider.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try await group.waitForAll()
        }
        #expect(try file.count("operations") == 1)
    }

    @Test func `a full disk makes the store unavailable, and room makes it whole`() async throws {
        try await limitPages()
        let failure = await failure {
            for number in 1...2000 { try await insert(number) }
        }
        #expect(failure?.isUnavailable == true)
        #expect(failure?.cause.contains("full") == true)
        let before = try file.count("operations")
        #expect(before < 2000)
        #expect(await self.failure { try await insert(before + 1) }?.isUnavailable == true, "and it stays so")
        #expect(try file.count("operations") == before)
        #expect(try await store.list(OperationFilter(limit: 5000)).count == before, "reading still works")
        try await liftLimit()
        try await insert(before + 1)
        #expect(try file.count("operations") == before + 1)
    }

    @Test func `on a full disk every caller of a group is told the truth about its own unit`() async throws {
        try await limitPages()
        let results = try await unitOfWork.together(300) { [store] number, transaction in
            try store.insert(OperationSample.operation(UInt64(number)), in: transaction)
        }
        #expect(results.contains { !$0.isSuccess }, "the disk was to be full")
        for (number, result) in results.enumerated() {
            let isThere = try await store.find(row: OperationSample.operation(UInt64(number)).id) != nil
            #expect(result.isSuccess == isThere, "unit \(number)")
            if let error = result.error { #expect((error as? StoreError)?.isUnavailable == true) }
        }
        try await liftLimit()
        try await insert(999)
    }

    @Test func `a file that can only be read makes the store unavailable until it can be written`() async throws {
        try await database.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = ON") }
        await withTaskGroup(of: StoreError?.self) { group in
            for number in 1...5 { group.addTask { await failure { try await insert(number) } } }
            for await failure in group { #expect(failure?.isUnavailable == true) }
        }
        #expect(await failure { try await insert(1) }?.isUnavailable == true)
        #expect(await failure { try await unitOfWork.checkDurable() }?.isUnavailable == true)
        try await database.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = OFF") }
        try await insert(1)
        #expect(try file.count("operations") == 1)
    }

    @Test func `a closed store says so instead of waiting`() async throws {
        try await insert(1)
        try database.close()
        try database.close()
        #expect(await failure { try await insert(2) }?.isUnavailable == true)
        #expect(await failure { _ = try await store.find(row: OperationSample.operation(1).id) } != nil)
    }

    @Test func `attack: the logged cause of a failed commit contains no values and no SQL`() async throws {
        try await insert(1)
        let failure = await failure { try await insert(1) }
        let cause = try #require(failure?.cause)
        let operation = OperationSample.operation(1)
        for value in [operation.id.description, operation.request.policy.clientID, "INSERT"] {
            #expect(!cause.contains(value), "\(cause)")
        }
    }

    /// No more than three pages are left.
    private func limitPages() async throws {
        try await database.pool.writeWithoutTransaction { writer in
            let pages = try Int.fetchOne(writer, sql: "PRAGMA page_count") ?? 0
            try writer.execute(sql: "PRAGMA max_page_count = \(pages + 3)")
        }
    }

    private func liftLimit() async throws {
        try await database.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
    }

    private func insert(_ number: Int) async throws {
        try await unitOfWork.run { [store] transaction in
            try store.insert(OperationSample.operation(UInt64(number)), in: transaction)
        }
    }

    private func failure(_ body: () async throws -> Void) async -> StoreError? {
        do {
            try await body()
            return nil
        } catch { return error as? StoreError }
    }
}
