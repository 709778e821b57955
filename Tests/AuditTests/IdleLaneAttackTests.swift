import Kernel
import Testing

@testable import Audit

/// Attacks on a chain that was idle for so long that its checkpoints are far back in the log.
struct IdleLaneAttackTests {
    private let audit = AuditFixture()

    /// Three chains, of which `local.2` has a checkpoint of its row 2 alone, behind those of many rounds.
    private func history() async throws {
        let checkpoints = audit.checkpoints
        try audit.fill(2, lane: 2)
        for _ in 0..<100 {
            for lane in 0..<2 { try audit.fill(1, lane: lane) }
            _ = try await checkpoints.write()
        }
        #expect(audit.log.all.count == 201)
    }

    // T-269
    @Test func `attack: a daemon that has just begun signs nothing after an idle chain is deleted`() async throws {
        try await history()
        audit.store.tamper { $0.removeAll { $0.node == "local.2" } }
        for lane in 0..<2 { try audit.fill(1, lane: lane) }
        await #expect(throws: AuditEndMissingError(last: 0, checkpoint: 2, chain: "local.2")) {
            try await audit.checkpoints.write()
        }
        #expect(audit.log.all.count == 201)
    }

    // T-269
    @Test func `attack: a forged line does not stand in for the newest one of a chain`() async throws {
        try await history()
        audit.store.tamper { $0.removeAll { $0.node == "local.2" } }
        audit.log.tamper { $0.insert("local.2|0|AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA|0|x", at: 150) }
        await #expect(throws: AuditCheckpointForgedError(line: 151)) { try await audit.checkpoints.write() }
        #expect(audit.log.all.count == 202)
    }

    // T-269
    // A replacement that is nil is a copy of the log's first line, which another chain's checkpoint is in.
    @Test(arguments: ["", "garbage", "local.2|0|AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA|0|x", nil])
    func `attack: a chain that was cut with its newest checkpoint is not signed on an earlier one`(
        _ replacement: String?
    ) async throws {
        for lane in 0..<3 { try audit.fill(2, lane: lane) }
        _ = try await audit.checkpoints.write()
        try audit.fill(2, lane: 2)
        _ = try await audit.checkpoints.write()
        try audit.fill(1, lane: 0)
        _ = try await audit.checkpoints.write()
        let lines = audit.log.all
        let newest = try #require(lines.lastIndex { audit.signing.read($0)?.node == "local.2" })
        let earlier = try #require(lines[..<newest].last { audit.signing.read($0)?.node == "local.2" })
        let number = try #require(audit.signing.read(earlier)).number
        audit.log.tamper { $0[newest] = replacement ?? $0[0] }
        audit.store.tamper { $0.removeAll { $0.node == "local.2" && $0.number > number } }
        try audit.fill(1, lane: 2)
        await #expect(throws: AuditCheckpointForgedError.self) { try await audit.checkpoints.write() }
        #expect(audit.log.all.count == lines.count)
    }

    @Test func `the first read after a start checks one signature of each chain, and the last line`() async throws {
        try await history()
        let signing = CountingSigning(signing: audit.signing)
        #expect(try await audit.checkpoints(interval: .seconds(60), signing: signing).write().count == 3)
        #expect(signing.count == 4)
        #expect(audit.log.all.count == 201)
    }

    // T-269
    @Test(arguments: 1...4)
    func `attack: a chain that was deleted and begins again is named, though its line looks replayed`(
        _ rows: Int
    ) async throws {
        try await history()
        audit.store.tamper { $0.removeAll { $0.node == "local.2" } }
        audit.pass(.seconds(1))
        try audit.fill(rows, lane: 2)
        let first = try #require(audit.rows("local.2").first)
        audit.log.append(audit.signed(number: 1, hash: first.hash, of: "local.2"))
        let report = try await audit.verify()
        #expect(report.finding == (rows < 2 ? .endMissing(last: 1, checkpoint: 2) : .rewritten(at: 2)))
        #expect(report.chain == "local.2")
    }
}
