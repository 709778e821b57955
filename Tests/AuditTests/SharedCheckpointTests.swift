import Kernel
import Testing

@testable import Audit

/// Several daemons with one store and one log of checkpoints.
struct SharedCheckpointTests {
    private let audit = AuditFixture()
    private let turn = SharedUnits.Turn()

    private func units(ofSlot slot: Int) -> SharedUnits { SharedUnits(turn: turn, lane: slot * 256) }

    private func fill(_ count: Int, by units: SharedUnits) async throws {
        let now = audit.now
        for _ in 0..<count {
            try await units.run { [chain = audit.chain] transaction in
                let entry = AuditEntry(at: now, event: "operation.redeemed", subject: "row", account: nil, detail: nil)
                try chain.append(entry, in: transaction)
            }
        }
    }

    /// The newest row of a chain, as another daemon signs it.
    private func signedEnd(of name: String = "local") -> String? {
        audit.rows(name).last.map { audit.signed(number: $0.number, hash: $0.hash, of: name) }
    }

    @Test func `daemons that begin at the same moment sign the empty chain once, and each goes on with its first row`()
        async throws
    {
        for _ in 0..<20 {
            let (audit, turn) = (AuditFixture(), SharedUnits.Turn())
            await withTaskGroup { group in
                for slot in 0..<3 {
                    group.addTask {
                        await audit.checkpoints(unitOfWork: SharedUnits(turn: turn, lane: slot * 256)).begin()
                        #expect(audit.rows("local").first?.entry.event == "audit.checkpoints_begun")
                    }
                }
            }
            #expect(audit.log.all.count == 1 && audit.store.all.count == 1)
            #expect(try await audit.verify().finding == .sound)
        }
    }

    @Test func `a daemon whose line of the empty chain comes second takes the other one's`() async throws {
        audit.log.doMeanwhile { [audit] in
            audit.log.append(audit.signed(number: 0, hash: .zero))
        }
        await audit.checkpoints.begin()
        #expect(audit.log.all.count == 1)
        #expect(audit.store.all.map(\.entry.event) == ["audit.checkpoints_begun"])
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `chains of a daemon that starts later are signed and counted with the others`() async throws {
        let first = audit.checkpoints(unitOfWork: units(ofSlot: 0))
        await first.begin()
        try await fill(3, by: units(ofSlot: 0))
        _ = try await first.write()
        await audit.checkpoints(unitOfWork: units(ofSlot: 1)).begin()
        for lane in 256..<259 { try await fill(2, by: SharedUnits(turn: turn, lane: lane)) }
        #expect(try await audit.verify().finding == .sound)
        #expect(try await first.write().map(\.checkpoint.node).contains("local.257"))
        let report = try await audit.verify()
        #expect(report.finding == .sound)
        #expect(report.lanes.map(\.name) == ["local.256", "local.257", "local.258"])
        #expect(report.lanes.allSatisfy { $0.uncovered == 0 })
    }

    @Test
    func `daemons that sign at the same time never contradict each other, and a verification in between is sound`()
        async throws
    {
        let daemons = (0..<3).map { slot in
            (units(ofSlot: slot), audit.checkpoints(unitOfWork: units(ofSlot: slot)))
        }
        await daemons[0].1.begin()
        for _ in 0..<10 {
            try await withThrowingTaskGroup { group in
                for (units, checkpoints) in daemons {
                    group.addTask {
                        try await fill(2, by: units)
                        // Others may have been first each time.
                        do { _ = try await checkpoints.write() } catch is CheckpointRaceError {}
                    }
                }
                group.addTask {
                    let finding = try await audit.verify().finding
                    #expect(finding == .sound)
                }
                try await group.waitForAll()
            }
            audit.pass(.seconds(1))
        }
        for (_, checkpoints) in daemons { _ = try await checkpoints.write() }
        let report = try await audit.verify()
        #expect(report.finding == .sound && report.own.uncovered == 0)
        #expect(report.lanes.map(\.name) == ["local.256", "local.512"])
        let counts = audit.store.all.compactMap { AuditSigning($0)?.count }
        #expect(counts.max() == audit.log.all.count, "the rows count every line")
    }

    @Test func `a checkpoint is signed again on what another daemon has appended in the same moment`() async throws {
        try audit.fill(2)
        audit.log.doMeanwhile { [self] in
            try audit.fill(1)
            if let line = signedEnd() { audit.log.append(line) }
        }
        let made = try await audit.checkpoints.write()
        #expect(made.map(\.checkpoint.number) == [3] && audit.log.all.count == 1)
        #expect(audit.store.all.last?.entry.detail == "1", "it is counted all the same")
        #expect(try await audit.verify().finding == .sound)
    }

    // T-213
    @Test func `attack: an earlier row is not signed behind a later one, however often others are first`() async throws
    {
        try audit.fill(2)
        for _ in 0..<3 {
            audit.log.doMeanwhile { [self] in
                try audit.fill(1)
                if let line = signedEnd() { audit.log.append(line) }
                try audit.fill(1)
            }
        }
        await #expect(throws: CheckpointRaceError.self) { try await audit.checkpoints.write() }
        #expect(audit.log.all.compactMap { audit.signing.read($0)?.number } == [3, 5, 7])
        #expect(try await audit.verify().finding == .sound)
        _ = try await audit.checkpoints.write()
        #expect(try await audit.verify().own.newestCheckpoint?.number == 8)
    }

    // T-269
    @Test func `attack: the copies of several daemons show a cut chain in whichever order they are put together`()
        async throws
    {
        let copies = [MemoryCheckpointLog(), MemoryCheckpointLog()]
        for round in 0..<6 {
            try audit.fill(1)
            try audit.fill(1, lane: 256)
            let log = CopiedCheckpointLog(audit.log, copiedTo: copies[round % 2]) { Issue.record("\($0)") }
            _ = try await audit.checkpoints(log: log).write()
        }
        let (first, second) = (copies[0].all, copies[1].all)
        #expect(first.count + second.count == audit.log.all.count && !first.isEmpty && !second.isEmpty)
        for lines in [first + second, second + first] {
            #expect(try await audit.verify(lines).finding == .sound)
        }
        let last = try #require(audit.log.all.compactMap(audit.signing.read).last { $0.node == "local.256" })
        audit.store.tamper { $0.removeAll { $0.node == "local.256" && $0.number >= last.number } }
        for lines in [first + second, second + first] {
            let finding = try await audit.verify(lines).finding
            #expect(finding == .endMissing(last: last.number - 1, checkpoint: last.number))
        }
    }

    @Test func `only the leader signs, also when it stops, and the next leader covers the chains of all`() async throws
    {
        let (first, second) = (ScriptedNode(isLeader: true), ScriptedNode(isLeader: false))
        try audit.fill(2)
        try audit.fill(2, lane: 256)
        await audit.checkpoints(nodes: second).run()
        #expect(audit.log.all.isEmpty)
        await audit.checkpoints(nodes: first).run()
        #expect(audit.log.all.count == 2)
        try audit.fill(1, lane: 256)
        second.lead(true)
        await audit.checkpoints(nodes: second).run()
        #expect(audit.log.all.count == 3)
        #expect(try await audit.verify().lanes.map(\.uncovered) == [0])
    }

    // T-258
    @Test func `two daemons that purge at the same time delete each row once, and the audit stays sound`() async throws
    {
        for _ in 0..<20 {
            let (audit, turn) = (AuditFixture(), SharedUnits.Turn())
            try await audit.signed(9)
            audit.pass(.seconds(7200))
            let now = audit.now
            let deleted = try await withThrowingTaskGroup { group in
                for slot in 0..<2 {
                    let retention = audit.retention(unitOfWork: SharedUnits(turn: turn, lane: slot * 256))
                    group.addTask { try await retention.sweep(at: now) }
                }
                return try await group.reduce(0, +)
            }
            #expect(deleted == 9)
            #expect(try await audit.verify().finding == .sound)
        }
    }

    @Test func `only the leader deletes old rows`() async throws {
        let node = ScriptedNode(isLeader: false)
        try await audit.signed(2)
        audit.pass(.seconds(7200))
        let retention = audit.retention(nodes: node)
        await retention.run()
        #expect(audit.store.all.first?.number == 1)
        node.lead(true)
        await retention.run()
        #expect(audit.store.all.first?.number == 3)
    }
}
