package import Accounts
package import Kernel
import Testing

/// The contract of every store of lockouts, one case a promise.
package enum LockoutStoreContract: String, StorePromise {
    case comesBack = "a lockout comes back as it was saved, under its own key alone"
    case replaced = "one that is saved takes the place of the one before"
    case deleted = "one that is deleted is gone, and to delete none is no fault"
    // T-258
    case purged = "a purge takes those that were tried longest ago, and no more than it may"

    /// Checks this promise over an empty store.
    package func check(
        over store: some LockoutStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork
    ) async throws {
        let subject = LockoutsUnderTest(store: store, purging: purge, unitOfWork: unitOfWork)
        switch self {
        case .comesBack: try await subject.checkComesBack()
        case .replaced: try await subject.checkReplaced()
        case .deleted: try await subject.checkDeleted()
        case .purged: try await subject.checkPurged()
        }
    }
}

private struct LockoutsUnderTest<Store: LockoutStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work

    private static var now: Instant { OperationSample.start }

    func checkComesBack() async throws {
        try await save(1, tries: 3)
        #expect(try await find(1) == Lockout(tries: 3, lastTriedAt: Self.now))
        #expect(try await find(2) == nil)
    }

    func checkReplaced() async throws {
        try await save(1, tries: 3)
        try await save(2, tries: 1)
        try await save(1, tries: 4, ago: .seconds(-5))
        #expect(try await find(1) == Lockout(tries: 4, lastTriedAt: Self.now + .seconds(5)))
        #expect(try await find(2)?.tries == 1)
    }

    func checkDeleted() async throws {
        try await save(1, tries: 3)
        try await save(2, tries: 3)
        for _ in 1...2 { try await unitOfWork.run { [store] in try store.delete(Self.key(1), in: $0) } }
        #expect(try await find(1) == nil)
        #expect(try await find(2) != nil)
    }

    func checkPurged() async throws {
        for number in 1...4 as ClosedRange<UInt64> {
            try await save(number, tries: 9, ago: .seconds(Int64(number)))
        }
        #expect(try await purge(before: .seconds(1), limit: 2) == 2, "the fourth and the third")
        #expect(try await purge(before: .seconds(1), limit: 2) == 1, "the second; the first is not old enough")
        #expect(try await purge(before: .seconds(1), limit: 2) == 0)
        #expect(try await find(1) != nil)
    }

    private static func key(_ number: UInt64) -> Digest256 { OperationSample.digest("lockout", number) }

    private func save(_ number: UInt64, tries: Int, ago: Duration = .zero) async throws {
        try await unitOfWork.run { [store] transaction in
            try store.save(Lockout(tries: tries, lastTriedAt: Self.now - ago), Self.key(number), in: transaction)
        }
    }

    private func find(_ number: UInt64) async throws -> Lockout? {
        try await unitOfWork.run { [store] in try store.find(Self.key(number), in: $0) }
    }

    private func purge(before ago: Duration, limit: Int) async throws -> Int {
        try await unitOfWork.run { [purging] in try purging(Self.now - ago, limit, $0) }
    }
}
