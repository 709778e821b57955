import Kernel
import Synchronization
import Testing

@testable import Audit

/// The log in the database, and the copies that daemons keep outside of it.
struct CopiedCheckpointLogTests {
    private let audit = AuditFixture()
    private let copy = MemoryCheckpointLog()

    private func log(copiedTo copy: any CheckpointLog) -> CopiedCheckpointLog {
        CopiedCheckpointLog(audit.log, copiedTo: copy) { error in Issue.record("\(error)") }
    }

    @Test func `each daemon copies the lines that it appended`() throws {
        let (others, own) = (MemoryCheckpointLog(), log(copiedTo: copy))
        let other = log(copiedTo: others)
        let size = try own.append(["a"], after: own.size())
        let second = try other.append(["b", "c"], after: size)
        _ = try own.append(["d"], after: second)
        #expect(try own.lines() == ["a", "b", "c", "d"])
        #expect(try other.rememberedLines() == ["a", "b", "c", "d"])
        #expect(copy.all == ["a", "d"] && others.all == ["b", "c"])
    }

    @Test func `a line that the log did not take has no copy`() throws {
        let own = log(copiedTo: copy)
        audit.log.doMeanwhile { [audit] in audit.log.append("b") }
        #expect(throws: CheckpointRaceError.self) { try own.append(["a"], after: own.size()) }
        #expect(copy.all.isEmpty)
    }

    @Test func `an empty log begins with the lines of the file, once, whichever daemon is first`() throws {
        copy.tamper { $0 = ["a", "b"] }
        // Of two daemons with the same file, one is first.
        audit.log.doMeanwhile { [audit] in
            for line in ["a", "b"] { audit.log.append(line) }
        }
        let own = log(copiedTo: copy)
        #expect(try own.size() == 4)
        #expect(try own.lines() == ["a", "b"])
        #expect(try log(copiedTo: MemoryCheckpointLog(["a", "b"])).size() == 4)
        #expect(try log(copiedTo: MemoryCheckpointLog()).lines() == ["a", "b"])
        #expect(copy.all == ["a", "b"])
    }

    @Test func `the audit of a single daemon with a file goes on with a log in the database`() async throws {
        let single = audit.checkpoints(log: copy)
        await single.begin()
        try audit.fill(2)
        _ = try await single.write()
        let shared = audit.checkpoints(log: log(copiedTo: copy))
        await shared.begin()
        try audit.fill(2, lane: 256)
        _ = try await shared.write()
        #expect(audit.log.all.count == 3 && copy.all == audit.log.all)
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `a copy that can't be written is told once, and made up for`() throws {
        let told = Mutex(0)
        let copy = StuckLog()
        let own = CopiedCheckpointLog(audit.log, copiedTo: copy) { _ in told.withLock { $0 += 1 } }
        var size = try own.size()
        copy.isStuck = true
        for line in ["a", "b"] { size = try own.append([line], after: size) }
        #expect(told.withLock { $0 } == 1 && copy.kept.all.isEmpty)
        copy.isStuck = false
        size = try own.append(["c"], after: size)
        #expect(copy.kept.all == ["a", "b", "c"] && audit.log.all == copy.kept.all)
        copy.isStuck = true
        _ = try own.append(["d"], after: size)
        #expect(told.withLock { $0 } == 2)
    }

    // T-213
    @Test func `attack: rows and checkpoints put back in the database together are detected by a daemon's copy`()
        async throws
    {
        let own = log(copiedTo: copy)
        let running = audit.checkpoints(log: own)
        try audit.fill(2)
        _ = try await running.write()
        let (rows, lines) = (audit.store.all, audit.log.all)
        try audit.fill(2)
        _ = try await running.write()
        audit.store.tamper { $0 = rows }
        audit.log.tamper { $0 = lines }
        let verifier = AuditVerifier(chain: audit.chain, signing: audit.signing)
        let expected = AuditReport.Finding.endMissing(last: 3, checkpoint: 5)
        for each in [own, log(copiedTo: copy)] {
            #expect(try await verifier.verify(against: each).finding == expected)
            await #expect(throws: CheckpointCopyAheadError(line: 2)) {
                try await audit.checkpoints(log: each).write()
            }
        }
        await #expect(throws: CheckpointCopyAheadError(line: 2)) { try await running.write() }
        #expect(audit.log.all == lines, "nothing is signed over the loss")
        // Without the copy of any daemon, both fit each other.
        #expect(try await verifier.verify(against: log(copiedTo: MemoryCheckpointLog())).finding == .sound)
    }

    // T-215
    @Test func `attack: each daemon logs at its start that its copy is ahead of the database`() async throws {
        copy.tamper { $0 = [audit.signed(number: 1, hash: .zero), "later"] }
        audit.log.tamper { $0 = Array(copy.all.prefix(1)) }
        try audit.fill(1)
        let lines = LogLines()
        let node = ScriptedNode(isLeader: false)
        await audit.checkpoints(log: log(copiedTo: copy), nodes: node, logger: lines.logger).run()
        #expect(lines.all.count == 1)
        #expect(lines.all.allSatisfy { $0.hasPrefix("error ") && $0.contains("line 2 of the file") }, "\(lines.all)")
    }

    // T-213
    @Test func `attack: checkpoints deleted from the database come back from a copy, and what is lacking is detected`()
        async throws
    {
        let own = log(copiedTo: copy)
        let running = audit.checkpoints(log: own)
        for _ in 0..<3 {
            try audit.fill(1)
            _ = try await running.write()
        }
        audit.log.tamper { $0 = [] }
        copy.tamper { $0.removeLast() }
        await #expect(throws: AuditCheckpointsMissingError(signed: 3, found: 2)) { try await running.write() }
        #expect(audit.log.all == copy.all)
    }
}

/// A log that can be made to refuse lines.
private final class StuckLog: CheckpointLog {
    let kept = MemoryCheckpointLog()
    private let stuck = Mutex(false)

    var isStuck: Bool {
        get { stuck.withLock { $0 } }
        set { stuck.withLock { $0 = newValue } }
    }

    func lines() -> [String] { kept.all }
    func size() -> Int64 { kept.size() }

    func append(_ lines: [String], after size: Int64) throws -> Int64 {
        guard !isStuck else { throw StoreError.unavailable(cause: "full") }
        return try kept.append(lines, after: size)
    }
}
