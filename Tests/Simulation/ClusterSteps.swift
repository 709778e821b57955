import Kernel
import MemoryStore

@testable import Operations

// What happens to daemons among several.
extension History {
    /// A client reaches any daemon that serves; now and then something happens to a daemon.
    ///
    /// - Returns: Whether something happened.
    func takeClusterStep() async -> Bool {
        let serving = daemons.indices.filter { daemons[$0].peer?.isServing == true }
        guard !serving.isEmpty else {
            fail("no daemon serves")
            return true
        }
        current = random.pick(serving)
        let down = daemons.indices.filter { daemons[$0].peer?.isUp == false }
        if !down.isEmpty, random.happens(percent: 12) {
            await start(random.pick(down))
            return true
        }
        guard serving.count > 1 else { return false }
        switch random.below(100) {
        case 0..<2: await kill(current)
        case 2..<4: await pauseCurrent()
        case 4..<5: await stopCurrent()
        default: return false
        }
        return true
    }

    /// Kills a daemon, which has sent nothing of what it announced last.
    func kill(_ index: Int) async {
        note("\(name(of: index)) dies")
        census.crashes += 1
        await takeDown(index)
    }

    private func takeDown(_ index: Int) async {
        checkWrites()
        disk.cut(daemons[index].storage)
        daemons[index].peer?.isUp = false
        daemons[index].life = nextLife()
        // The state of addresses is in memory.
        daemons[index].quiet = [:]
        disturb()
        await settleWaiters()
    }

    private func nextLife() -> Int {
        cluster?.lives += 1
        return cluster?.lives ?? 0
    }

    /// Starts a daemon under another name; returns whether it came up.
    @discardableResult
    func start(_ index: Int) async -> Bool {
        guard !storeIsDown else { return false }
        let number = nextLife()
        let peer = ClusterPeer(join(number), life: number, clock: time)
        let environment = environment(of: index)
        daemons[index] = SimulatedDaemon(environment, disk: disk, providers: providers, as: peer)
        daemons[index].lifeBegan = time.now
        note("\(name(of: index)) starts")
        disturb()
        introduce(index)
        keepMembership(of: index, peer.node)
        // It serves nobody before it has read what it has to follow.
        depth += 2
        let isUp = await at(index) { await recover(peer.node) }
        depth -= 2
        if !isUp { await takeDown(index) }
        return isUp
    }

    private func recover(_ node: SimulatedNode) async -> Bool {
        let followed = node.adopted.union([node.node])
        let live = disk.tables.operations.values.count {
            !$0.state.isTerminal && followed.contains($0.version.writer)
        }
        do {
            if try await service.recover() < live { fail("recovery left live operations out") }
            return true
        } catch { return false }
    }

    /// A daemon stands still, while time goes by and others act; then it goes on where it was.
    private func pauseCurrent() async {
        guard depth < 2 else { return }
        let index = current
        note("\(name(of: index)) stands still")
        census.pauses += 1
        daemons[index].peer?.isPaused = true
        disturb()
        depth += 1
        for _ in 0...random.below(4) where violation == nil {
            await pass(.milliseconds(200 + random.below(6000)))
            await step()
        }
        depth -= 1
        daemons[index].peer?.isPaused = false
        daemons[index].peer?.lastTrouble = time.now
        note("\(name(of: index)) goes on")
        disturb()
    }

    /// A daemon stops in order: it ends its lease, answers who waits, and tells the others that it goes.
    private func stopCurrent() async {
        guard depth < 2, let node = daemons[current].peer?.node else { return }
        let index = current
        note("\(name(of: index)) stops")
        census.handovers += 1
        cluster?.rows[node.node]?.leaseUntil = time.now + .milliseconds(-1)
        await drain()
        daemons[index].peer?.isStopping = true
        disturb()
        depth += 1
        await pass(.milliseconds(1 + random.below(2500)))
        depth -= 1
        await at(index) { await watcher.keepBindings(isLast: true) }
        send(from: index, isLast: true)
        cluster?.rows[node.node]?.leaseUntil = nil
        await takeDown(index)
    }

    func name(of index: Int) -> String { daemons[index].peer.map { "\($0.node.node) (\($0.sender))" } ?? "the daemon" }

    private func environment(of index: Int) -> Environment { daemons[index].environment }

    /// A daemon dies and comes up again at once, if another one serves meanwhile.
    func restartCurrent() async {
        let index = current
        guard daemons.indices.contains(where: { $0 != index && daemons[$0].peer?.isServing == true }) else { return }
        if random.happens(percent: 50) { await drain() }
        guard daemons[index].peer?.isServing == true else { return }
        await kill(index)
        await start(index)
    }

    /// Lets time pass for all daemons that run.
    func passTogether(_ duration: Duration) async {
        let target = time.now + duration
        while violation == nil {
            // Daemons that have nothing to do don't notice it.
            if storeIsDown { lastOutage = time.now }
            keepMemberships()
            await exchangeMessages()
            for index in daemons.indices where violation == nil && daemons[index].peer?.isRunning == true {
                await at(index) { await tick() }
            }
            checkWrites()
            checkTold()
            guard time.now < target else {
                if time.now == target { checkTogether() }
                return
            }
            advance(by: min(max(nextMoment, time.now + .milliseconds(5)), target) - time.now)
        }
    }

    /// When the loops of a daemon have something to do next, or messages may arrive.
    private var nextMoment: Uptime {
        let running = daemons.filter { $0.peer?.isRunning == true }
        var moments = running.compactMap(\.watcher.nextDue)
        moments += waiters.filter { daemons[$0.daemon].peer?.isRunning == true }.map(\.deadline)
        moments += (cluster?.packets ?? []).map(\.due).filter { $0 > time.now }
        // The only way in which nobody has to look: nothing is lost, and nobody waits for news.
        if calm == 0 || !waiters.isEmpty { moments.append(time.now + .milliseconds(500)) }
        return (moments + [nextTakeover].compactMap(\.self)).min() ?? time.now + .seconds(60)
    }
}
