package import Kernel
package import Operations

/// A fresh, empty store that is to keep the contract.
package struct StoreUnderTest: Sendable {
    package let unitOfWork: any UnitOfWork
    package let store: any OperationStore
    /// Deletes ended operations of the store.
    package let purging: Purge
    /// An account that the store would let an operation refer to.
    package let account: AccountID
    /// A device that the store would let an operation refer to.
    package let device: DeviceID

    package init(
        unitOfWork: any UnitOfWork,
        store: any OperationStore,
        purge: @escaping Purge,
        account: AccountID = OperationSample.account,
        device: DeviceID = OperationSample.device
    ) {
        self.unitOfWork = unitOfWork
        self.store = store
        purging = purge
        self.account = account
        self.device = device
    }

    /// Returns the sample's operation with that number, for this store's account.
    func operation(
        _ number: UInt64,
        state: OperationState = .created,
        seq: Int64 = 1,
        createdAt: Instant = OperationSample.start
    ) -> Operation {
        var draft = OperationSample.draft(number, state: state, seq: seq, createdAt: createdAt)
        draft.account = account
        draft.device = device
        return draft.operation
    }

    func insert(_ operations: [Operation]) async throws {
        let store = store
        try await unitOfWork.run { transaction in
            for operation in operations { try store.insert(operation, in: transaction) }
        }
    }

    func update(_ operation: Operation, over seq: Int64) async throws -> Bool {
        let store = store
        return try await unitOfWork.run { transaction in try store.update(operation, over: seq, in: transaction) }
    }
}
