package import Kernel
import Testing

/// The contract of every store of used marks, one case a promise.
package enum UsedMarkStoreContract: String, StorePromise {
    // T-246, T-159
    case isUsedOnce = "of eight uses of a mark at once one counts, and no later one"
    case isOfItsKind = "the marks of two kinds are apart"
    case undoes = "a mark that a failing unit used is free again"
    case countsWithinUnit = "a unit that uses a mark twice is told so the second time"
    case purges = "marks are purged that have expired, the oldest first and in batches, and no others"

    /// Checks this promise over an empty store.
    package func check(
        over store: some UsedMarkStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork
    ) async throws {
        let subject = MarksUnderTest(store: store, purging: purge, unitOfWork: unitOfWork)
        switch self {
        case .isUsedOnce: try await subject.checkUse()
        case .isOfItsKind: try await subject.checkKinds()
        case .undoes: try await subject.checkUndoing()
        case .countsWithinUnit: try await subject.checkUnit()
        case .purges: try await subject.checkPurging()
        }
    }
}

private struct MarksUnderTest<Store: UsedMarkStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let purging: Purge
    let unitOfWork: Work

    private static var now: Instant { OperationSample.start }

    func checkUse() async throws {
        for number in 1...5 as ClosedRange<UInt64> {
            let mark = Self.mark(number)
            let used = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { try await use(mark) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(used == 1)
            #expect(try await !use(mark))
        }
    }

    func checkKinds() async throws {
        for kind in UsedMark.Kind.allCases {
            let mark = UsedMark(kind, of: OperationSample.digest("mark", 1), expiresAt: Self.now)
            #expect(try await use(mark), "\(kind)")
            #expect(try await !use(mark), "\(kind)")
        }
    }

    func checkUndoing() async throws {
        let mark = Self.mark(1)
        await #expect(throws: InjectedError.self) {
            try await run { transaction in
                _ = try store.use(mark, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await use(mark))
    }

    func checkUnit() async throws {
        let mark = Self.mark(1)
        let answers = try await run { [try store.use(mark, in: $0), try store.use(mark, in: $0)] }
        #expect(answers == [true, false])
        #expect(try await !use(mark))
    }

    func checkPurging() async throws {
        for number in 1...5 as ClosedRange<UInt64> { #expect(try await use(Self.mark(number))) }
        func purge(_ limit: Int) async throws -> Int {
            try await run { try purging(Self.now + .seconds(4), limit, $0) }
        }
        #expect(try await purge(2) == 2)
        #expect(try await !use(Self.mark(3)), "the oldest first")
        #expect(try await purge(9) == 1)
        #expect(try await purge(9) == 0)
        for number in [4, 5] as [UInt64] { #expect(try await !use(Self.mark(number)), "it has not expired") }
        #expect(try await use(Self.mark(1)))
    }

    private func use(_ mark: UsedMark) async throws -> Bool { try await run { try store.use(mark, in: $0) } }

    /// Each expires a second after the one before it.
    private static func mark(_ number: UInt64) -> UsedMark {
        UsedMark(.proof, of: OperationSample.digest("mark", number), expiresAt: now + .seconds(Int64(number)))
    }
}
