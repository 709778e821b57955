import Kernel
import Operations
import Testing

extension StoreUnderTest {
    func checkRollback() async throws {
        try await insert([operation(1), operation(9, state: .failed(.expired, at: OperationSample.start), seq: 2)])
        let moved = operation(1, state: OperationSample.everyState[1], seq: 2)
        let second = operation(2)
        await #expect(throws: InjectedError()) {
            try await unitOfWork.run { [store, purging] transaction in
                try store.insert(second, in: transaction)
                guard try store.update(moved, over: 1, in: transaction) else { return }
                _ = try purging(OperationSample.start + .seconds(1), 10, transaction)
                throw InjectedError()
            }
        }
        #expect(try await store.find(row: second.id) == nil, "the insert is undone")
        #expect(try await store.find(row: moved.id) == operation(1), "the update is undone")
        #expect(try await store.find(row: operation(9).id) != nil, "the purge is undone")
        #expect(try await update(moved, over: 1), "and the store continues")
    }

    func checkNeighbours() async throws {
        try await insert((1...60).map { operation($0) })
        let outcomes = try await withThrowingTaskGroup(of: (UInt64, Bool).self) { group in
            for number in UInt64(1)...60 {
                group.addTask { (number, try await tryToMove(number, fails: number.isMultiple(of: 3))) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for number in UInt64(1)...60 {
            let stored = try await store.find(row: operation(number).id)
            let fails = number.isMultiple(of: 3)
            #expect(outcomes[number] == !fails)
            #expect(stored?.seq == (fails ? 1 : 2), "operation \(number)")
        }
    }

    /// Returns whether the unit was kept.
    private func tryToMove(_ number: UInt64, fails: Bool) async throws -> Bool {
        let moved = operation(number, state: OperationSample.everyState[1], seq: 2)
        do {
            return try await unitOfWork.run { [store] transaction in
                let isWritten = try store.update(moved, over: 1, in: transaction)
                if fails { throw InjectedError() }
                return isWritten
            }
        } catch is InjectedError {
            return false
        }
    }

    func checkRace() async throws {
        try await insert([operation(1)])
        for seq in Int64(1)...10 {
            let winners = try await withThrowingTaskGroup(of: FailureCode?.self) { group in
                for code in FailureCode.allCases {
                    let next = operation(1, state: .failed(code, at: OperationSample.start), seq: seq + 1)
                    group.addTask { try await update(next, over: seq) ? code : nil }
                }
                return try await group.reduce(into: [FailureCode]()) { winners, code in
                    if let code { winners.append(code) }
                }
            }
            try #require(winners.count == 1, "round \(seq)")
            let stored = try await store.find(row: operation(1).id)
            #expect(stored?.seq == seq + 1)
            #expect(stored?.state == .failed(winners[0], at: OperationSample.start))
        }
    }

    func checkForeignTransaction() async throws {
        final class Outsider {}
        let first = operation(1)
        let foreign = Transaction(context: Outsider())
        #expect(throws: StoreError.foreignTransaction) { try store.insert(first, in: foreign) }
        #expect(throws: StoreError.foreignTransaction) { _ = try store.update(first, over: 1, in: foreign) }
        #expect(throws: StoreError.foreignTransaction) { _ = try purging(first.validity.createdAt, 1, foreign) }
    }
}
