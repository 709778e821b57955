import Kernel
import Testing

@testable import Audit

/// An audit whose units run on several connections, each with a chain of its own.
struct AuditLaneTests {
    private let audit = AuditFixture()

    @Test func `a row goes to the chain of its unit's connection, and each chain is numbered from one`() async throws {
        for lane in [0, 1, 12, 1] { try audit.fill(1, lane: lane) }
        #expect(audit.store.all.map(\.node) == ["local", "local.1", "local.12", "local.1"])
        #expect(audit.store.all.map(\.number) == [1, 1, 1, 2])
        let report = try await audit.verify()
        #expect(report.finding == .sound)
        #expect(report.own.last == 1)
        #expect(report.lanes.map(\.name) == ["local.1", "local.12"])
        #expect(report.lanes.map(\.last) == [2, 1])
    }

    @Test func `only chains with new rows are signed, and each of them counts all checkpoints`() async throws {
        for lane in 0..<3 { try audit.fill(2, lane: lane) }
        let checkpoints = audit.checkpoints
        #expect(try await checkpoints.write().map(\.checkpoint.node) == ["local", "local.1", "local.2"])
        #expect(audit.log.all.count == 3)
        #expect(audit.rows("local.2").map(\.entry.detail).last == "3")
        try audit.fill(1, lane: 2)
        _ = try await checkpoints.write()
        #expect(audit.log.all.count == 4)
        #expect([audit.rows("local").count, audit.rows("local.1").count, audit.rows("local.2").count] == [3, 4, 5])
        #expect(audit.rows("local.1").last?.entry.detail == "4", "a second chain counts what one alone signed")
        #expect(audit.rows("local.2").last?.entry.detail == "4")
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `without new rows in any of seventeen chains nothing is written, also by a daemon that has just begun`()
        async throws
    {
        for lane in 0..<17 { try audit.fill(1, lane: lane) }
        let running = audit.checkpoints
        _ = try await running.write()
        let (rows, lines) = (audit.store.all, audit.log.all)
        #expect(rows.count == 34 && lines.count == 17)
        for checkpoints in [running, audit.checkpoints, audit.checkpoints] {
            #expect(try await checkpoints.write().count == 17)
        }
        #expect(audit.store.all == rows && audit.log.all == lines)
    }

    @Test func `whichever connection counts a checkpoint, its row is in the signed chain`() async throws {
        for lane in 0..<4 { try audit.fill(1, lane: lane) }
        _ = try await audit.checkpoints(interval: .seconds(60), unitOfWork: DirectUnits(lanes: 7)).write()
        for name in ["local", "local.1", "local.2", "local.3"] {
            #expect(audit.rows(name).map(\.entry.event) == ["operation.redeemed", "audit.checkpoint_signed"])
        }
        #expect(Set(audit.store.all.map(\.node)).count == 4)
        #expect(try await audit.verify().finding == .sound)
    }

    @Test(arguments: 0..<5)
    func `a crash between the checkpoints of a round and their rows is harmless`(_ units: Int) async throws {
        for lane in 0..<3 { try audit.fill(1, lane: lane) }
        let dying = audit.checkpoints(interval: .seconds(60), unitOfWork: DirectUnits(failAfter: units))
        if units < 4 {
            await #expect(throws: StoreError.self) { try await dying.write() }
        } else {
            #expect(try await dying.write().count == 3)
        }
        #expect(try await audit.verify().finding == .sound)
        _ = try await audit.checkpoints.write()
        #expect(audit.log.all.count == 3)
        #expect(audit.store.all.filter { $0.entry.event == "audit.checkpoint_signed" }.count == 3)
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `the chains of an earlier and larger pool are verified, signed and purged`() async throws {
        for lane in 0..<5 { try audit.fill(1, lane: lane) }
        _ = try await audit.checkpoints.write()
        audit.pass(.seconds(1800))
        for _ in 0..<100 {
            audit.pass(.seconds(30))
            try await audit.signed(1)
        }
        #expect(try await audit.checkpoints.write().count == 5)
        #expect(try await audit.retention(batch: 50).sweep(at: audit.now) > 4)
        #expect(audit.rows("local.3").map(\.entry.event) == ["audit.checkpoint_signed", "audit.purged"])
        let report = try await audit.verify()
        #expect(report.finding == .sound)
        #expect(report.lanes.map(\.first) == [2, 2, 2, 2])
    }

    @Test func `checkpoints start again in every chain`() async throws {
        for lane in 0..<3 { try audit.fill(1, lane: lane) }
        _ = try await audit.checkpoints.write()
        audit.log.tamper { $0 = [] }
        #expect(try await audit.checkpoints.beginAgain().count == 3)
        for name in ["local", "local.1", "local.2"] {
            #expect(audit.rows(name).map(\.entry.event).contains("audit.checkpoints_begun_anew"))
        }
        #expect(try await audit.verify().finding == .sound)
        audit.log.tamper { $0.removeLast() }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 3, found: 2))
    }

    @Test func `a copy of what each round printed may repeat the lines of idle chains`() async throws {
        let checkpoints = audit.checkpoints
        for lane in 0..<3 { try audit.fill(1, lane: lane) }
        var copy: [String] = []
        for round in 0..<4 {
            if round > 0 { try audit.fill(1, lane: round % 2) }
            copy += try await checkpoints.write().map(\.text)
        }
        #expect(copy.count == 12 && Set(copy).count < 12)
        #expect(try await audit.verify(copy).finding == .sound)
        #expect(try await audit.verify(copy + copy).finding == .sound)
    }

    // T-269
    @Test func `attack: a line of the server's own log in place of a deleted one is detected`() async throws {
        for lane in 0..<3 { try audit.fill(1, lane: lane) }
        _ = try await audit.checkpoints.write()
        audit.store.tamper { $0.removeAll { $0.node == "local.2" } }
        audit.log.tamper { $0[2] = $0[1] }
        #expect(try await audit.verify().finding == .replayedCheckpoint(line: 3))
        // A copy that repeats lines still shows what it has.
        let newest = audit.signed(number: 9, hash: .zero, of: "local.1")
        #expect(try await audit.verify([newest, newest]).finding == .endMissing(last: 2, checkpoint: 9))
    }

    @Test func `rows for a person are merged by time, then by chain, and each chain keeps its order`() async throws {
        try audit.fill(1, lane: 1)
        audit.pass(.seconds(1))
        try audit.fill(2, lane: 10)
        try audit.fill(1, lane: 2)
        audit.pass(.seconds(1))
        try audit.fill(1)
        audit.step(.seconds(-60))
        try audit.fill(1)
        let rows = try await audit.chain.newest(9)
        #expect(
            rows.map { "\($0.node):\($0.number)" }
                == ["local.2:1", "local.10:2", "local.10:1", "local.1:1", "local:2", "local:1"]
        )
        #expect(try await audit.chain.newest(2) == Array(rows.prefix(2)))
    }

    @Test func `the search for an idle chain's checkpoint continues where the last one ended`() async throws {
        for lane in 1...2 { try audit.fill(1, lane: lane) }
        _ = try await audit.checkpoints.write()
        for _ in 0..<300 { try await audit.signed(1) }
        let signing = CountingSigning(signing: audit.signing)
        let history = CheckpointHistory(signing: signing, log: audit.log)
        #expect(try history.newest(of: ["local", "local.1", "local.9"], before: audit.now).count == 2)
        let first = signing.unverifiedCount
        // Of two chains, and of the binary search.
        #expect(signing.count < 2 + 10)
        try await audit.signed(1)
        let found = try history.newest(of: ["local", "local.1", "local.9"], before: audit.now)
        #expect(found["local.1"]?.number == 1)
        #expect(found["local"]?.number == audit.rows("local").last.map { $0.number - 1 })
        #expect(first > 300 && signing.unverifiedCount - first < 20)
        // A clock that was put back makes the earlier results useless.
        #expect(try history.newest(of: ["local.1"], before: audit.now - .seconds(1)).isEmpty)
    }

    // T-264
    @Test func `checkpoints of many chains do not hide the ones of the days before, which support the clock`()
        async throws
    {
        try await audit.signed(1)
        audit.pass(.seconds(86_400))
        for lane in 1...3 { try audit.fill(1, lane: lane) }
        _ = try await audit.checkpoints.write()
        for number in Int64(10)..<1000 {
            for lane in 1...3 {
                audit.log.append(audit.signed(number: number, hash: .zero, of: "local.\(lane)"))
            }
        }
        #expect(CheckpointHistory(signing: audit.signing, log: audit.log).supports(audit.now))
    }
}
