import Kernel
import MemoryStore
import Synchronization

@testable import Operations

/// A long poll of one caller, in a task of its own, as a server has it.
///
/// The task is the history's own actor's, so that it goes on only when the history lets it.
struct ModelWaiter {
    let number: Int
    let operation: Operation
    let caller: Caller
    let isProven: Bool
    let deadline: Uptime
    /// The life of the daemon that it waits in.
    let life: Int
    var task: Task<Void, Never>?

    init(_ number: Int, _ operation: Operation, as caller: Caller, until deadline: Uptime, life: Int) {
        self.number = number
        self.operation = operation
        self.caller = caller
        isProven = Visibility.isProven(caller, operation)
        self.deadline = deadline
        self.life = life
    }
}

extension History {
    /// A caller asks and waits.
    func park() async {
        guard !operations.isEmpty, waiters.count < 4 else { return }
        let index = random.below(operations.count)
        let operation = operations[index]
        guard let shown = desk.board.card(operation.publicID)?.operation else { return }
        let proof = random.happens(percent: 65) ? operation.ownProof : random.pick(Proof.allCases)
        let caller = operation.caller(proof)
        let deadline = time.now + .milliseconds(1 + random.below(30_000))
        note("\(proof) waits for \(index) past #\(shown.seq)")
        // No two long polls of one caller: the one that is there is released.
        let isProven = Visibility.isProven(caller, shown)
        let before = waiters.filter {
            $0.operation.publicID == shown.publicID && $0.caller.waitsAs == caller.waitsAs && $0.isProven == isProven
        }
        let others = waitingCount(shown.publicID) - before.count
        var waiter = ModelWaiter(census.parked, shown, as: caller, until: deadline, life: life)
        let desk = desk
        waiter.task = Task { [waiter] in await self.wait(waiter, at: desk) }
        census.parked += 1
        await settle("\(proof) was not parked") {
            awake[waiter.number] != nil
                || (waitingCount(shown.publicID) == others + 1 && before.allSatisfy { awake[$0.number] != nil })
        }
        for released in before {
            if awake[released.number] != false { fail("a second poll of \(proof) did not release the first") }
            census.released += 1
        }
        waiters.removeAll { held in before.contains { $0.number == held.number } }
        waiters.append(waiter)
    }

    /// The daemon is asked to stop: whoever waits is answered, and nobody waits any more.
    func drain() async {
        note("the daemon drains")
        desk.board.wakeAll()
        for waiter in waiters where waiter.life == life {
            await settle("a parked poll slept through the drain") { awake[waiter.number] != nil }
        }
        waiters.removeAll { awake[$0.number] != nil }
    }

    private func wait(_ waiter: ModelWaiter, at desk: OperationDesk) async {
        awake[waiter.number] = await desk.wait(waiter.operation, until: waiter.deadline, as: waiter.caller)
    }

    /// Waits until all are awake that have to be, and sees that no other one is.
    func settleWaiters() async {
        for waiter in waiters where violation == nil {
            if waiter.life != life {
                // Its connection died with the daemon.
                waiter.task?.cancel()
                await settle("a poll of a dead daemon lives on") { awake[waiter.number] != nil }
            } else if mustBeAwake(waiter) {
                await settle("a parked poll slept through what it waited for") { awake[waiter.number] != nil }
                if awake[waiter.number] == false { fail("a parked poll was released for nobody") }
                census.woken += 1
            } else if awake[waiter.number] != nil {
                fail("a parked poll was woken for nothing")
            }
        }
        waiters.removeAll { awake[$0.number] != nil }
    }

    /// The operation moved on or left the board, or the watcher's beat has passed the time.
    private func mustBeAwake(_ waiter: ModelWaiter) -> Bool {
        guard let shown = desk.board.card(waiter.operation.publicID)?.operation else { return true }
        return shown.seq != waiter.operation.seq || lastBeat >= waiter.deadline
    }

    private func waitingCount(_ publicID: Digest256) -> Int {
        desk.board.shard(publicID).entries.withLock { $0[publicID]?.waiters.count ?? 0 }
    }

    /// Lets the waiters' tasks go on until `condition` holds; if it never does, that is a violation.
    private func settle(_ complaint: String, _ condition: () -> Bool) async {
        for _ in 0..<10_000 where !condition() { await Task.yield() }
        if !condition() { fail(complaint) }
    }
}
