import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

/// The double keeps the contract that real stores keep, and fails as it is told to.
@Suite struct MemoryStoreTests {
    @Test(arguments: OperationStoreContract.allCases)
    func `the memory store keeps the contract`(_ promise: OperationStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(
            over: StoreUnderTest(
                unitOfWork: storage.unitOfWork,
                store: storage.operations,
                purge: MemoryExpiringRows.operations.purge
            )
        )
    }

    @Test(arguments: DurableEffectsContract.allCases)
    func `units of the memory store keep the contract of effects`(_ promise: DurableEffectsContract) async throws {
        try await promise.check(MemoryDisk().open().unitOfWork)
    }

    @Test func `a read sees what was committed, drops its effects, and throws if it has written`() async throws {
        let disk = MemoryDisk()
        let storage = disk.open()
        let signal = WorkSignal()
        try await storage.unitOfWork.run { try storage.operations.insert(OperationSample.operation(1), in: $0) }
        let found = try await storage.unitOfWork.read { transaction in
            transaction.whenDurable { signal.raise() }
            return try MemoryNotes().all(in: transaction)
        }
        #expect(found.isEmpty && !signal.take())
        await #expect(throws: StoreError.conflict(cause: "a read has written")) {
            try await storage.unitOfWork.read { try storage.operations.insert(OperationSample.operation(2), in: $0) }
        }
        #expect(disk.tables.operations.count == 1)
        disk.crash()
        await #expect(throws: StoreError.self) { try await storage.unitOfWork.read { _ in } }
    }

    @Test func `a unit whose commit leaves open whether it is durable drops its effects`() async throws {
        let disk = MemoryDisk()
        let signal = WorkSignal()
        for fault in [InjectedFault.beforeCommit, .afterCommit] {
            disk.failNextUnit(fault)
            await #expect(throws: StoreError.self) {
                try await disk.open().unitOfWork.run { transaction in transaction.whenDurable { signal.raise() } }
            }
        }
        #expect(!signal.take())
    }

    @Test func `a unit that fails before its commit stores nothing, and one that fails after it stores all`()
        async throws
    {
        let disk = MemoryDisk()
        let storage = disk.open()
        let operation = OperationSample.operation()
        for (fault, isThere) in [(InjectedFault.beforeCommit, false), (.afterCommit, true)] {
            disk.failNextUnit(fault)
            await #expect(throws: StoreError.self) {
                try await storage.unitOfWork.run { try storage.operations.insert(operation, in: $0) }
            }
            #expect(disk.tables.operations.isEmpty != isThere)
        }
    }

    @Test func `what was committed survives a crash, and the dead can no longer write`() async throws {
        let disk = MemoryDisk()
        let old = disk.open()
        try await old.unitOfWork.run { try old.operations.insert(OperationSample.operation(1), in: $0) }
        disk.crash()
        await #expect(throws: StoreError.self) {
            try await old.unitOfWork.run { try old.operations.insert(OperationSample.operation(2), in: $0) }
        }
        await #expect(throws: StoreError.self) {
            _ = try await old.operations.find(row: OperationSample.operation().id)
        }
        let new = disk.open()
        #expect(try await new.operations.list(OperationFilter()) == [OperationSample.operation(1)])
    }
}
