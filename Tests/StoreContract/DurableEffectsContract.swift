package import Kernel
import Synchronization
import Testing

/// The contract of every unit of work for what follows its commit, one case a promise.
package enum DurableEffectsContract: String, StorePromise {
    case runsOnce = "the effects of a unit run once, in their order, after its body and before its caller resumes"
    case dropsAtFailure = "a unit that fails drops its effects"
    case dropsAtRerun = "of a unit that is run again only the last run's effects run, whatever its neighbours do"
    case survivesCancellation = "the effects of a unit that is done run even though its caller was cancelled"

    /// Checks this promise.
    package func check(_ unitOfWork: some UnitOfWork) async throws {
        let subject = DurableEffectsUnderTest(unitOfWork: unitOfWork)
        switch self {
        case .runsOnce: try await subject.checkOrder()
        case .dropsAtFailure: await subject.checkFailure()
        case .dropsAtRerun: try await subject.checkNeighbours()
        case .survivesCancellation: try await subject.checkCancellation()
        }
    }
}

private struct DurableEffectsUnderTest<Work: UnitOfWork> {
    let unitOfWork: Work

    /// Notes what ran, in order.
    private final class Notes: Sendable {
        private let notes = Mutex<[Int]>([])

        var all: [Int] { notes.withLock(\.self) }
        func add(_ note: Int) { notes.withLock { $0.append(note) } }
    }

    func checkOrder() async throws {
        // Several, because the in-memory store runs every fifth unit twice.
        for number in 1...12 {
            let notes = Notes()
            let before = try await unitOfWork.run { transaction in
                transaction.whenDurable { notes.add(number) }
                transaction.whenDurable { notes.add(number + 100) }
                return notes.all
            }
            #expect(before.isEmpty, "nothing runs before the commit")
            #expect(notes.all == [number, number + 100])
        }
    }

    func checkFailure() async {
        let notes = Notes()
        for number in 1...12 {
            await #expect(throws: InjectedError.self) {
                try await unitOfWork.run { transaction in
                    transaction.whenDurable { notes.add(number) }
                    throw InjectedError()
                }
            }
        }
        #expect(notes.all.isEmpty)
    }

    func checkNeighbours() async throws {
        let notes = Notes()
        await withTaskGroup { group in
            for number in 1...90 {
                group.addTask { [unitOfWork] in
                    try? await unitOfWork.run { transaction in
                        transaction.whenDurable { notes.add(number) }
                        if number.isMultiple(of: 3) { throw InjectedError() }
                    }
                    #expect(notes.all.contains(number) != number.isMultiple(of: 3), "unit \(number)")
                }
            }
        }
        #expect(notes.all.sorted() == (1...90).filter { !$0.isMultiple(of: 3) })
    }

    func checkCancellation() async throws {
        let notes = Notes()
        let caller = Task { [unitOfWork] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await unitOfWork.run { transaction in transaction.whenDurable { notes.add(1) } }
        }
        let isDone: Bool
        switch await caller.result {
        case .success: isDone = true
        case .failure: isDone = false
        }
        #expect(
            notes.all == (isDone ? [1] : []),
            "a storage may refuse a unit of a cancelled caller, and run none of it"
        )
    }
}
