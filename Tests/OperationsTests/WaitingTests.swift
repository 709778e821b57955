import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

/// Parked polls: each is woken by what should wake it, and by nothing else.
@Suite(.timeLimit(.minutes(1))) struct WaitingTests {
    private let board = LiveBoard()
    private let operation = OperationSample.operation(1)
    private let later = Uptime(nanoseconds: 1_000_000_000)

    private func parked() async -> Task<Void, Never> {
        let task = Task { [board, operation, later] in
            await board.wait(operation.publicID, past: operation.seq, until: later)
        }
        await until { board.parkedCount == 1 }
        return task
    }

    @Test func `a change wakes`() async {
        board.put(operation)
        let task = await parked()
        board.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
        await task.value
        #expect(board.parkedCount == 0)
    }

    @Test func `the end of its time wakes, not a moment sooner`() async {
        board.put(operation)
        let task = await parked()
        board.wakeOverdue(at: Uptime(nanoseconds: later.nanoseconds - 1))
        #expect(board.parkedCount == 1)
        board.wakeOverdue(at: later)
        await task.value
        #expect(board.parkedCount == 0)
    }

    @Test func `a client that goes away wakes`() async {
        board.put(operation)
        let task = await parked()
        task.cancel()
        await task.value
        #expect(board.parkedCount == 0)
        #expect(board.lastPoll(operation.publicID, now: later) == nil, "and no longer counts as waiting")
    }

    @Test func `a drain wakes all, and nobody parks any more`() async {
        board.put(operation)
        board.put(OperationSample.operation(2))
        let first = await parked()
        let second = Task { [board, later] in
            await board.wait(OperationSample.operation(2).publicID, past: 1, until: later)
        }
        await until { board.parkedCount == 2 }
        board.wakeAll()
        await first.value
        await second.value
        await board.wait(operation.publicID, past: operation.seq, until: later)
        #expect(board.parkedCount == 0)
    }

    @Test func `taking the operation down wakes`() async {
        board.put(operation)
        let task = await parked()
        board.remove(operation.publicID)
        await task.value
    }

    @Test func `there is nothing to wait for in what has moved or never was`() async {
        await board.wait(operation.publicID, past: 1, until: later)
        board.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
        await board.wait(operation.publicID, past: 1, until: later)
        #expect(board.parkedCount == 0)
    }

    @Test func `health and binding are no change`() async {
        board.put(operation)
        let task = await parked()
        board.note(.failed, about: operation.publicID)
        board.bind(operation.publicID)
        board.put(operation)
        #expect(board.parkedCount == 1)
        #expect(board.lastPoll(operation.publicID, now: later) == later, "a parked poll is asking now")
        board.wakeAll()
        await task.value
    }

    @Test func `a hundred waiters of one operation are all woken by one change`() async {
        board.put(operation)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { [board, operation, later] in
                    await board.wait(operation.publicID, past: 1, until: later)
                }
            }
            await until { board.parkedCount == 100 }
            board.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
        }
        #expect(board.parkedCount == 0)
    }
}
