import Kernel
import MemoryStore

@testable import Operations

extension History {
    /// Does one random thing.
    func takeStep() async {
        if cluster != nil, await takeClusterStep() { return }
        await takeUsualStep()
    }

    private func takeUsualStep() async {
        switch random.below(230) {
        case 0..<7: await beginOne()
        case 7..<8: await beginTwins()
        case 8..<74: await poll()
        case 74..<104: await open()
        case 104..<108: await look()
        case 108..<158: await passTime()
        case 158..<164: stall()
        case 164..<168: await end(.cancel)
        case 168..<176: await end(.acknowledge)
        case 176..<178: await block()
        case 178..<182: await observeLate()
        case 182..<185: await expireEarly()
        case 185..<188: stepWall()
        case 188..<191: await restart()
        case 191..<194: toggleStore()
        case 194..<196: await deny()
        case 196..<199: await comeBack()
        case 199..<200: toggleProvider()
        case 200..<216: await park()
        case 216..<217: await crowd()
        case 217..<220: await hangUp()
        default: await hook()
        }
    }

    private func toggleStore() {
        storeIsDown = !storeIsDown && random.happens(percent: 40)
        note("the store is \(storeIsDown ? "down" : "up")")
    }

    private func toggleProvider() {
        providerIsDown = !providerIsDown && random.happens(percent: 60)
        note("the provider is \(providerIsDown ? "down" : "up")")
    }

    private func stepWall() {
        // The clocks of several daemons differ from the beginning, and a daemon whose clock is far off is not ready.
        guard cluster == nil else { return }
        let seconds = random.below(1200) - 600
        note("the wall clock steps by \(seconds) s")
        time.stepWall(by: .seconds(seconds))
    }

    private func passTime() async { await pass(someTime()) }

    private func someTime() -> Duration {
        let ranges: [Int] = [200, 1500, 1500, 6000, 6000, 6000, 15_000, 15_000, 70_000]
        return .milliseconds(1 + random.below(random.pick(ranges)))
    }

    /// The whole process stands still for a while, as on a suspended machine: what came due is done late.
    func stall() {
        let duration = someTime() * (1 + random.below(4))
        note("\(duration) go by unseen")
        time.advance(by: duration)
        lastOutage = time.now
        for index in daemons.indices { daemons[index].peer?.lastTrouble = time.now }
    }

    /// A provider takes its time to answer: the only daemon stands still meanwhile, and others go on.
    func hang() async {
        guard cluster != nil else { return stall() }
        guard depth < 2 else { return }
        depth += 1
        defer { depth -= 1 }
        await pass(.milliseconds(1 + random.below(12_000)))
    }

    /// Lets time pass as the watcher's loop does: from one due check to the next.
    func pass(_ duration: Duration) async {
        note("\(duration) go by")
        if cluster != nil { return await passTogether(duration) }
        let target = time.now + duration
        while violation == nil {
            await tick()
            guard time.now < target else {
                // Those inside a wait may have let more time pass than the watcher has seen yet.
                if time.now == target { checkTimeliness() }
                return
            }
            // The watcher's own loop looks up often enough for every parked poll.
            let next = min(watcher.nextDue ?? target, waiters.map(\.deadline).min() ?? target, target)
            time.advance(by: min(max(next, time.now + .milliseconds(5)), target) - time.now)
        }
    }

    func tick() async {
        let present = daemons[current]
        let checks = present.watcher.tick()
        checked += checks.map(\.operation)
        daemons[current].lastTick = time.now
        await settleWaiters()
        await present.watcher.keepBindings()
        if present.service.hasAdoptions { await present.service.readAdopted() }
        for check in checks {
            // Of several a dead one checks nothing more.
            if cluster == nil || life == present.life { await present.watcher.check(check) }
            if let index = checked.lastIndex(of: check.operation) { checked.remove(at: index) }
        }
    }

    private func block() async {
        guard let account = operations.randomElement(using: &random)?.account else { return }
        note("\(account) is blocked")
        census.blocks += 1
        checkWrites()
        blocked.insert(account)
        disk.change(account) { $0.isActive = false }
        // The order of the cache's cards is not the seed's to decide, so nothing may hang on it. Now and then the
        // daemon never hears of the block: the store alone has to hold it.
        if random.happens(percent: 70) { await calmly { _ = try? await service.block(account) } }
    }

    /// Kills the daemon and starts it again, until it comes up.
    func restart() async {
        guard cluster == nil else { return await restartCurrent() }
        while true {
            census.crashes += 1
            if random.happens(percent: 50) { await drain() }
            checkWrites()
            let next = life + 1
            note("a crash, life \(next) begins")
            disk.crash()
            let live = disk.tables.operations.values.count { !$0.state.isTerminal }
            // The state of addresses is in memory.
            daemons[0] = SimulatedDaemon(environment, disk: disk, providers: providers)
            daemons[0].life = next
            daemons[0].lifeBegan = time.now
            await settleWaiters()
            // Nobody is served before it has recovered.
            depth += 2
            defer { depth -= 2 }
            do {
                let count = try await service.recover()
                if count < live { fail("recovery left live operations out") }
                return
            } catch {
                storeIsDown = storeIsDown && random.happens(percent: 50)
            }
        }
    }

    /// A verdict, true or not, about any scan ever begun reaches any operation: late, twice, or misdirected.
    private func observeLate() async {
        guard let reference = fates.keys.sorted(by: { $0.text < $1.text }).randomElement(using: &random),
            let operation = operations.randomElement(using: &random)
        else { return }
        guard let current = service.cache.card(operation.publicID)?.operation else { return }
        let stored = disk.tables.operations[operation.row] ?? current
        let snapshot = random.happens(percent: 50) ? current : operation.begun.operation
        let status = random.happens(percent: 30) ? ScanStatus.rejected(.notMatched) : .approved
        // Of the scan that is followed only the provider itself speaks.
        if case .pending(let scan) = current.state, scan.reference == reference { return }
        if case .pending(let scan) = stored.state, scan.reference == reference { return }
        note("word of \(reference.text) reaches \(operation.number): \(status)")
        let observing = { (service: OperationService) in
            try await service.observe(status, of: reference, for: snapshot)
        }
        // Where another daemon may begin to follow the scan meanwhile, nothing comes in between.
        if cluster == nil { await attempt(observing) } else { await calmly { await attempt(observing) } }
    }

    /// Time is called on an operation that has some left.
    private func expireEarly() async {
        guard let operation = operations.randomElement(using: &random) else { return }
        let snapshot =
            random.happens(percent: 50)
            ? operation.begun.operation : service.cache.card(operation.publicID)?.operation ?? operation.begun.operation
        note("\(operation.number) is called out")
        await attempt { service in try await service.expire(snapshot) }
    }

    /// Calls the daemon; what a dead one would have answered is lost.
    @discardableResult
    func attempt<T: Sendable>(_ call: (OperationService) async throws -> T) async -> T? {
        // A daemon that has died answers nobody.
        guard daemons[current].peer?.isUp != false else { return nil }
        let present = life
        do {
            let answer = try await call(service)
            return life == present ? answer : nil
        } catch is StoreError {
            census.storeErrors += 1
            note("... an error")
            return nil
        } catch {
            fail("an error that no caller should see: \(error)")
            return nil
        }
    }

    /// Faults end, time goes by, and everything must come to rest.
    func wane() async {
        note("the faults end")
        storeIsDown = false
        providerIsDown = false
        calm += 1
        for index in daemons.indices where daemons[index].peer?.isUp == false { await start(index) }
        // Several daemons rest after a while, and then every verdict is seen.
        if cluster != nil { await pass(.seconds(100)) }
        await pass(Self.lifetime + Self.approvalWindow + Self.redemptionWindow + .seconds(5))
        checkAll()
        let tables = disk.tables
        for (row, operation) in tables.operations where !operation.state.isTerminal {
            fail("operation \(row) never ended: \(operation.state.name)")
        }
        checkAudit()
        census.lateVerdicts += tables.auditLog.events(OperationAuditEvent.self).count { $0 == .lateVerdict }
        for operation in tables.operations.values {
            let code = if case .failed(let code, _) = operation.state { " \(code)" } else { "" }
            census.ends[operation.state.name.rawValue + code, default: 0] += 1
        }
        await restart()
        await pass(Self.lifetime + .seconds(5))
        for operation in disk.tables.operations.values where !operation.state.isTerminal {
            fail("operation \(operation.id) outlived a restart: \(operation.state.name)")
        }
        await pass(OperationCache.terminalStay + .seconds(5))
        for cache in daemons.map(\.service.cache) {
            if !waiters.isEmpty || cache.parkedCount != 0 { fail("polls are parked for ever") }
            if cache.count != 0 { fail("\(cache.count) operations never left the cache") }
        }
        checkAll()
    }
}

extension OperationService {
    /// Ends all that is live of an account, as a remedy does; returns how many.
    func block(_ account: AccountID) async throws -> Int {
        let count = cache.live(of: account).count
        try await ports.unitOfWork.run { transaction in try self.end(.accountBlocked, of: account, in: transaction) }
        try await settle(.accountBlocked, of: account)
        return count - cache.live(of: account).count
    }
}
