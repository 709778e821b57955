import Kernel
import MemoryStore
import Synchronization

@testable import Operations

/// A long poll of one caller, which a server holds in a task of its own.
///
/// The task runs on the history's actor and starts at once: by the time it exists it is parked, or was not let in. It
/// only reports its result, so that the time of its turn does not matter to the history.
struct ModelWaiter {
    /// Which of the history's operations it waits for.
    let index: Int
    /// The cache's view of it then.
    let operation: Operation
    /// Its last answer before it parked.
    let view: PollView
    let caller: Caller
    /// The proof of its poll once it is awake; one of a crowd does not poll.
    let proof: Proof?
    let deadline: Uptime
    /// The daemon that it waits at, and its life.
    let daemon: Int
    let life: Int
    let isProven: Bool
    let awakening: Awakening
    let task: Task<Void, Never>

    /// Whether both are long polls of one caller, of which there is never more than one.
    func isSameCaller(as other: Self) -> Bool {
        index == other.index && isProven == other.isProven && caller.waitsAs == other.caller.waitsAs
    }
}

extension History {
    /// A caller asks and waits for news; of a pair both are waited for alike.
    func park() async {
        guard !operations.isEmpty, waiters.count < 5 else { return }
        let index = random.below(operations.count)
        let proof = random.happens(percent: 65) ? operations[index].ownProof : random.pick(Proof.allCases)
        let deadline = time.now + .milliseconds(1 + random.below(30_000))
        for index in [index, operations[index].twin].compactMap({ $0 }) {
            note("\(proof) waits for \(index)")
            await park(operations[index].caller(proof), proof, for: index, until: deadline)
        }
    }

    /// Many wait for one operation: windows of its app with the secret of its start, and outsiders with its id alone.
    func crowd() async {
        let alone = operations.filter { $0.twin == nil && $0.starter == nil }
        guard let operation = alone.randomElement(using: &random), waiters.count < 5 else { return }
        let cookie = operation.codeVerifier == nil ? operation.caller(.cookie).bindingCookie : nil
        let windows = cookie == nil ? 0 : random.pick([0, 2, 17])
        let outsiders = windows > 16 ? 3 : 10 + random.below(10)
        let areFirst = random.happens(percent: 50)
        note("\(windows) windows and \(outsiders) outsiders wait for \(operation.number)")
        let proofs = Array(repeating: true, count: windows) + Array(repeating: false, count: outsiders)
        for (member, isProven) in zip(1..., areFirst ? proofs.reversed() : proofs) {
            let window = Digest256(sha256: "window \(member)")
            let caller = Caller(challenge: window, bindingCookie: isProven ? cookie : nil)
            await park(caller, nil, for: operation.number, until: time.now + .milliseconds(1 + random.below(30_000)))
        }
    }

    /// The client of a parked poll hangs up.
    func hangUp() async {
        guard !waiters.isEmpty else { return }
        let waiter = waiters.remove(at: random.below(waiters.count))
        note("\(waiter.proof.map { "\($0)" } ?? "one of a crowd") no longer waits for \(waiter.index)")
        await end(waiter)
    }

    /// Asks the daemon to stop: all waiters are answered, and none waits any more.
    func drain() async {
        note("the daemon drains")
        service.cache.wakeAll()
        for waiter in takeWaiters(where: { $0.life == life }) {
            await expect(.free, of: waiter, or: "a parked poll slept through a drain")
            guard let proof = waiter.proof else { continue }
            await calmly { await ask(waiter.index, proof) }
        }
        await park()
        for waiter in takeWaiters(where: { $0.life == life }) {
            await expect(.free, of: waiter, or: "a draining daemon let a poll park")
        }
    }

    /// Waits until all are awake that have to be, sees that no other one is, and lets those ask.
    func settleWaiters() async {
        guard !waiters.isEmpty else { return }
        // Their connections died with the daemon.
        for waiter in takeWaiters(where: { !isAlive($0) }) { await end(waiter) }
        let woken = takeWaiters { !isAsleep($0) }
        for waiter in woken where violation == nil {
            switch await waiter.awakening.outcome() {
            case .free: census.woken += 1
            case .gaveWay: fail("a parked poll gave way to nobody")
            case .never: fail("a parked poll slept through what it waited for")
            }
        }
        // A change that a daemon was writing when it began to stand still has woken what it will hear of later.
        if waiters.contains(where: { $0.awakening.isOver && !isAtPaused($0) }) {
            fail("a parked poll was woken for nothing")
        }
        for waiter in woken { await at(waiter.daemon) { await goOn(waiter) } }
    }

    /// Whether the daemon that it waits at still lives.
    func isAlive(_ waiter: ModelWaiter) -> Bool { daemons[waiter.daemon].life == waiter.life }

    /// Whether it has to sleep on; a daemon that stands still wakes nobody, and one that drains lets nobody sleep.
    private func isAsleep(_ waiter: ModelWaiter) -> Bool {
        if isAtPaused(waiter) { return true }
        return isListed(waiter) && !isAtDraining(waiter) && daemons[waiter.daemon].lastTick < waiter.deadline
    }

    private func isAtDraining(_ waiter: ModelWaiter) -> Bool {
        isAlive(waiter) && daemons[waiter.daemon].service.cache.isDraining.withLock { $0 }
    }

    private func isAtPaused(_ waiter: ModelWaiter) -> Bool { daemons[waiter.daemon].peer?.isPaused == true }

    /// As a server does: what shows nothing new to an outsider is waited through, and everything else is an answer.
    private func goOn(_ waiter: ModelWaiter) async {
        guard let proof = waiter.proof, violation == nil else { return }
        // Of several, a daemon may have died meanwhile, or begun to stand still.
        if cluster != nil, !isAlive(waiter) || isAtPaused(waiter) { return }
        let publicID = operations[waiter.index].publicID
        if waiter.life == life, !isAtDraining(waiter), time.now < waiter.deadline,
            let view = service.peek(publicID, waiter.caller),
            case .pending = view, view.seq == waiter.view.seq
        {
            await park(waiter.caller, proof, for: waiter.index, until: waiter.deadline)
        } else {
            await ask(waiter.index, proof)
        }
    }

    private func park(_ caller: Caller, _ proof: Proof?, for index: Int, until latest: Uptime) async {
        guard await canWait(for: operations[index]) else { return }
        let service = service
        guard let view = service.peek(operations[index].publicID, caller), case .pending = view,
            let shown = service.cache.card(operations[index].publicID)?.operation
        else { return }
        let deadline = min(latest, service.clock.uptime(of: shown.validity.deadline))
        guard time.now < deadline else { return }
        let awakening = Awakening()
        let waiter = ModelWaiter(
            index: index,
            operation: shown,
            view: view,
            caller: caller,
            proof: proof,
            deadline: deadline,
            daemon: current,
            life: life,
            isProven: Visibility.isProven(caller, shown),
            awakening: awakening,
            task: Task.immediate { await self.wait(awakening, for: shown, until: deadline, as: caller) }
        )
        census.parked += 1
        if service.cache.isDraining.withLock({ $0 }) { return waiters.append(waiter) }
        if await isLetIn(waiter) { waiters.append(waiter) }
    }

    /// Whether the daemon still serves; one of several first reads the operation, if another one began it.
    private func canWait(for operation: ModelOperation) async -> Bool {
        guard cluster != nil, !service.cache.isDraining.withLock({ $0 }) else { return true }
        let present = life
        await attempt { service in _ = try await service.known(operation.publicID) }
        return life == present && daemons[current].peer?.isServing == true
    }

    private func wait(_ awakening: Awakening, for shown: Operation, until deadline: Uptime, as caller: Caller) async {
        awakening.end(await service.cache.wait(service.turn(shown, until: deadline, as: caller)) ? .free : .gaveWay)
    }

    func expect(_ outcome: Awakening.Outcome, of waiter: ModelWaiter, or complaint: String) async {
        // One broken promise is enough: each that is waited for in vain takes two minutes.
        guard violation == nil else { return }
        if await waiter.awakening.outcome() != outcome { fail(complaint) }
    }

    private func end(_ waiter: ModelWaiter) async {
        waiter.task.cancel()
        if await waiter.awakening.outcome() == .never { fail("a poll whose client had gone stayed parked") }
    }

    /// Whether the cache still has it in its list, from which a change takes all.
    func isListed(_ waiter: ModelWaiter) -> Bool {
        isAlive(waiter)
            && daemons[waiter.daemon].service.cache.card(waiter.operation.credentials.publicID)?.operation.seq
                == waiter.operation.seq
    }

    private func takeWaiters(where isTaken: (ModelWaiter) -> Bool) -> [ModelWaiter] {
        guard waiters.contains(where: isTaken) else { return [] }
        defer { waiters.removeAll(where: isTaken) }
        return waiters.filter(isTaken)
    }
}
