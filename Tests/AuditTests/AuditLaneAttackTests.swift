import Kernel
import Testing

@testable import Audit

/// Attacks on one of several chains: the others and the checkpoints show them.
struct AuditLaneAttackTests {
    private let audit = AuditFixture()
    private static let names = ["local", "local.1", "local.2"]

    /// Three chains, each with two checkpoints: rows 1 and 2, a row that counts, row 4, a row that counts.
    private func history() async throws -> AuditCheckpoints {
        let checkpoints = audit.checkpoints
        for count in [2, 1] {
            for lane in 0..<3 { try audit.fill(count, lane: lane) }
            _ = try await checkpoints.write()
        }
        #expect(audit.log.all.count == 6 && audit.store.all.count == 15)
        return checkpoints
    }

    private func lines(of name: String) -> [String] { audit.log.all.filter { audit.signing.read($0)?.node == name } }

    // T-269
    @Test(arguments: names)
    func `attack: rows cut off at the end of one chain are detected by its checkpoint`(_ name: String) async throws {
        _ = try await history()
        audit.store.tamper { $0.removeAll { $0.node == name && $0.number > 2 } }
        let report = try await audit.verify()
        #expect(report.finding == .endMissing(last: 2, checkpoint: 4))
        #expect(report.chain == (name == "local" ? nil : name))
    }

    // T-269
    @Test(arguments: names)
    func `attack: a chain that is deleted whole is detected, and the daemon signs nothing`(_ name: String) async throws
    {
        let running = try await history()
        audit.store.tamper { $0.removeAll { $0.node == name } }
        let report = try await audit.verify()
        let label = name == "local" ? nil : name
        #expect(report.finding == .endMissing(last: 0, checkpoint: 2) && report.chain == label)
        for lane in 0..<3 where "local.\(lane)" != name && !(lane == 0 && name == "local") {
            try audit.fill(1, lane: lane)
        }
        for checkpoints in [running, audit.checkpoints] {
            await #expect(throws: AuditEndMissingError(last: 0, checkpoint: 4, chain: label)) {
                try await checkpoints.write()
            }
        }
        #expect(audit.log.all.count == 6)
    }

    // T-269
    @Test(arguments: names)
    func `attack: a chain deleted together with its checkpoints is detected by the counts of the others`(
        _ name: String
    ) async throws {
        _ = try await history()
        let own = lines(of: name)
        audit.store.tamper { $0.removeAll { $0.node == name } }
        audit.log.tamper { $0.removeAll { own.contains($0) } }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 6, found: 4))
        await #expect(throws: AuditCheckpointsMissingError(signed: 6, found: 4)) { try await audit.checkpoints.write() }
    }

    // T-269
    @Test(arguments: names)
    func `attack: a chain put back to an earlier state with its checkpoints is detected by the counts of the others`(
        _ name: String
    ) async throws {
        _ = try await history()
        let newest = try #require(lines(of: name).last)
        audit.store.tamper { $0.removeAll { $0.node == name && $0.number > 3 } }
        audit.log.tamper { $0.removeAll { $0 == newest } }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 6, found: 5))
    }

    // T-269
    @Test(arguments: 0..<6)
    func `attack: a checkpoint file that is shortened by any line is detected`(_ count: Int) async throws {
        _ = try await history()
        audit.log.tamper { $0 = Array($0.prefix(count)) }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 6, found: count))
        await #expect(throws: AuditCheckpointsMissingError(signed: 6, found: count)) {
            try await audit.checkpoints.write()
        }
    }

    // T-269
    @Test func `attack: a row moved to the end of another chain is detected there`() async throws {
        _ = try await history()
        try audit.fill(1, lane: 1)
        let row = try #require(audit.rows("local.1").last)
        audit.store.tamper { rows in
            rows.removeAll { $0 == row }
            rows.append(row.with(node: "local.2"))
        }
        let report = try await audit.verify()
        #expect(report.finding == .broken(at: 6) && report.chain == "local.2")
    }

    // T-269
    @Test func `attack: two chains that exchange their names are detected`() async throws {
        _ = try await history()
        audit.store.tamper { rows in
            rows = rows.map { row in
                guard row.node != "local" else { return row }
                return row.with(node: row.node == "local.1" ? "local.2" : "local.1")
            }
        }
        let report = try await audit.verify()
        #expect(report.finding == .broken(at: 1) && report.chain == "local.1")
        await #expect(throws: AuditRewrittenError(number: 5, chain: "local.1")) { try await audit.checkpoints.write() }
    }

    // T-269
    @Test func `attack: a chain under another lane's name is detected with and without its checkpoints`() async throws {
        _ = try await history()
        audit.store.tamper { $0 = $0.map { $0.node == "local.2" ? $0.with(node: "local.3") : $0 } }
        for lines in [audit.log.all, []] {
            let report = try await audit.verify(lines)
            #expect(report.finding == .broken(at: 1) && report.chain == "local.3")
        }
    }

    // T-269
    @Test func `attack: a changed row of one chain is detected, and the others are walked`() async throws {
        _ = try await history()
        audit.store.tamper { rows in
            rows = rows.map { $0.node == "local.1" && $0.number == 4 ? $0.with(entry: .sample(9)) : $0 }
        }
        let report = try await audit.verify()
        #expect(report.finding == .broken(at: 4) && report.chain == "local.1")
        #expect(report.lanes.map(\.last) == [3, 5])
    }

    // T-211
    @Test(arguments: ["local.9", "local.", "local.1.1", "local.x"])
    func `attack: a chain that was made up without the key is detected`(_ name: String) async throws {
        _ = try await history()
        let rows = audit.rows("local.1")
        audit.store.tamper { $0 += rows.map { $0.with(node: name) } }
        let report = try await audit.verify()
        #expect(report.finding == .broken(at: 1) && report.chain == name)
    }

    @Test func `under the key of another server the key is named, and no row of any chain is blamed`() async throws {
        _ = try await history()
        try audit.fill(1, lane: 5)
        let (rows, other) = (audit.store.all, AuditFixture(key: 2))
        other.store.tamper { $0 = rows }
        let report = try await other.verify([])
        #expect(report.finding == .wrongKey && report.chain == nil)
        // One row that was made with the key proves the key.
        try other.fill(1, lane: 7)
        #expect(try await other.verify([]).finding == .broken(at: 1))
    }

    // T-269
    @Test func `attack: a checkpoint that is said to be of another chain is detected as forged`() async throws {
        _ = try await history()
        audit.log.tamper { $0[5] = $0[5].replacing("local.2|", with: "local.1|") }
        #expect(try await audit.verify().finding == .forgedCheckpoint(line: 6))
    }

    // T-269
    @Test func `attack: an older checkpoint of the same chain in place of the newest is detected`() async throws {
        _ = try await history()
        audit.log.tamper { $0[5] = $0[2] }
        audit.store.tamper { $0.removeAll { $0.node == "local.2" && $0.number > 3 } }
        #expect(try await audit.verify().finding == .replayedCheckpoint(line: 6))
    }

    // T-269
    @Test func `attack: rows dropped up to a checkpoint of one chain are not reported as a purge`() async throws {
        _ = try await history()
        audit.pass(.seconds(7200))
        #expect(try await audit.retention(batch: 9).sweep(at: audit.now) == 12)
        #expect(try await audit.verify().finding == .sound)
        audit.store.tamper { $0.removeAll { $0.node == "local.1" && $0.number == 5 } }
        let report = try await audit.verify()
        #expect(report.finding == .startMissing(first: 6) && report.chain == "local.1")
    }

    // T-269
    @Test func `attack: while one chain contradicts its checkpoint no chain is purged`() async throws {
        _ = try await history()
        audit.pass(.seconds(7200))
        audit.store.tamper { rows in
            rows = rows.map { $0.node == "local.2" && $0.number == 4 ? $0.with(hash: .zero) : $0 }
        }
        await #expect(throws: AuditMismatchError(number: 4, chain: "local.2")) {
            try await audit.retention().sweep(at: audit.now)
        }
        #expect(audit.store.all.count == 15)
    }

    // T-215
    @Test func `attack: a lost chain is logged as an error with its name`() async throws {
        _ = try await history()
        audit.store.tamper { $0.removeAll { $0.node == "local.2" } }
        let log = LogLines()
        await audit.checkpoints(interval: .seconds(60), logger: log.logger).run()
        #expect(log.all.count == 2)
        for line in log.all {
            #expect(line.hasPrefix("error "), "\(line)")
            #expect(line.contains("expected=checkpoint of row 4 of local.2"), "\(line)")
            #expect(line.contains("found=no row"), "\(line)")
        }
    }
}
