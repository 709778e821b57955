import Kernel
import Testing

@testable import Audit

struct AuditCheckpointTests {
    private let audit = AuditFixture()

    @Test func `a checkpoint tells where the chain ends, and the chain is held against it`() async throws {
        try await audit.signed(3)
        try await audit.signed(2)
        try audit.fill(1)
        let report = try await audit.verify()
        #expect(report.finding == .sound)
        // Rows 4 and 7 are those of the checkpoints themselves.
        #expect((report.own.first, report.own.last, report.own.checkpoints) == (1, 8, 2))
        #expect(report.own.newestCheckpoint?.number == 6)
        #expect(report.own.uncovered == 1)
    }

    @Test func `without new rows there is no new checkpoint`() async throws {
        #expect(try await audit.checkpoints.write().isEmpty)
        try await audit.signed(1)
        let checkpoints = audit.checkpoints
        for _ in 0..<3 { #expect(try await checkpoints.write().first?.checkpoint.number == 1) }
        #expect(audit.log.all.count == 1)
    }

    @Test func `when the daemon stops, a last checkpoint covers all rows`() async throws {
        try audit.fill(4)
        await audit.checkpoints.run()
        #expect(try await audit.verify().own.uncovered == 0)
    }

    // RFC 6962 §1 and Crosby & Wallach (2009) name the attack: a log that is cut off looks sound by itself.
    // T-213
    @Test func `attack: rows cut off at the end are detected by the checkpoint`() async throws {
        try await audit.signed(5)
        audit.store.tamper { $0.removeLast(3) }
        #expect(try await audit.verify([]).finding == .sound)
        #expect(try await audit.verify().finding == .endMissing(last: 3, checkpoint: 5))
    }

    // T-213
    @Test func `attack: an emptied audit is detected by the checkpoint`() async throws {
        try await audit.signed(2)
        audit.store.tamper { $0 = [] }
        #expect(try await audit.verify().finding == .endMissing(last: 0, checkpoint: 2))
    }

    // T-213
    @Test func `attack: rows rewritten with a stolen audit key do not fit the checkpoint`() async throws {
        try await audit.signed(3)
        audit.store.tamper { $0.removeLast(2) }
        try audit.append("operation.failed")
        #expect(try await audit.verify([]).finding == .sound)
        #expect(try await audit.verify().finding == .rewritten(at: 3))
    }

    @Test func `attack: another server's chain in place of this one's is detected at row 1`() async throws {
        try await audit.signed(3)
        let other = AuditFixture(key: 2)
        try other.fill(3)
        audit.store.tamper { $0 = other.store.all }
        #expect(try await audit.verify().finding == .broken(at: 1))
    }

    @Test func `under the key of another server the key is named, and no row is blamed`() async throws {
        try await audit.signed(3)
        let (rows, other) = (audit.store.all, AuditFixture(key: 2))
        other.store.tamper { $0 = rows }
        #expect(try await other.verify(audit.log.all).finding == .wrongKey)
        #expect(try await other.verify([]).finding == .wrongKey)
    }

    @Test func `attack: a chain without a valid first row is reported as broken at row 1`()
        async throws
    {
        let other = AuditFixture(key: 2)
        try await other.signed(3)
        let rows = other.store.all
        audit.store.tamper { $0 = [rows[0], rows[2]] }
        #expect(try await audit.verify([]).finding == .broken(at: 1))
        audit.store.tamper { $0 = [rows[0]] }
        #expect(try await audit.verify([]).finding == .broken(at: 1))
        audit.store.tamper { $0 = [] }
        try audit.fill(2)
        audit.store.tamper { $0[0] = $0[0].with(entry: .sample()) }
        #expect(try await audit.verify([]).finding == .broken(at: 1))
    }

    // T-213
    @Test func `attack: a forged checkpoint is detected, with its line`() async throws {
        try await audit.signed(2)
        let row = try #require(audit.store.all.last)
        let forged = TestSigning(key: 9).sign(
            AuditCheckpoint(node: "local", number: 3, hash: row.hash, at: audit.environment.now())
        )
        audit.log.append(forged)
        #expect(try await audit.verify().finding == .forgedCheckpoint(line: 2))
    }

    // T-213
    @Test func `attack: a changed checkpoint is detected`() async throws {
        try await audit.signed(2)
        audit.log.tamper { $0[0] = $0[0].replacing("|2|", with: "|1|") }
        #expect(try await audit.verify().finding == .forgedCheckpoint(line: 1))
    }

    @Test func `attack: a checkpoint of another node is reported as forged`() async throws {
        let other = AuditFixture(node: "other")
        try await other.signed(2)
        try audit.fill(2)
        #expect(try await audit.verify(other.log.all).finding == .forgedCheckpoint(line: 1))
    }

    // T-213
    @Test func `attack: an old checkpoint replayed instead of a newer one is detected`() async throws {
        try await audit.signed(2)
        try await audit.signed(2)
        audit.store.tamper { $0.removeLast(2) }
        audit.log.tamper { $0[1] = $0[0] }
        #expect(try await audit.verify().finding == .replayedCheckpoint(line: 2))
    }

    @Test func `two checkpoints of one row, made by two processes that ended together, are one`() async throws {
        try await audit.signed(2)
        let row = try #require(audit.store.all.first { $0.number == 2 })
        audit.pass(.seconds(1))
        audit.log.append(audit.signed(number: row.number, hash: row.hash))
        try await audit.signed(1)
        let report = try await audit.verify()
        #expect(report.finding == .sound)
        #expect((report.own.checkpoints, report.own.newestCheckpoint?.number) == (2, 4))
    }

    // T-213
    @Test func `attack: a second checkpoint of a row with another hash is detected`() async throws {
        try await audit.signed(2)
        let first = try #require(audit.store.all.first)
        audit.pass(.seconds(1))
        audit.log.append(audit.signed(number: 2, hash: first.hash))
        #expect(try await audit.verify().finding == .replayedCheckpoint(line: 2))
    }

    // T-213
    @Test func `attack: an older checkpoint behind a doubled one is detected`() async throws {
        try await audit.signed(2)
        let old = try #require(audit.log.all.first)
        try await audit.signed(2)
        let row = try #require(audit.store.all.first { $0.number == 5 })
        audit.pass(.seconds(1))
        audit.log.append(audit.signed(number: row.number, hash: row.hash))
        audit.log.append(old)
        #expect(try await audit.verify().finding == .replayedCheckpoint(line: 4))
    }

    // T-213
    @Test func `attack: an audit restored with its checkpoints is detected by a copy kept elsewhere`()
        async throws
    {
        try await audit.signed(2)
        let (rows, lines) = (audit.store.all, audit.log.all)
        try await audit.signed(3)
        let copy = audit.log.all
        audit.store.tamper { $0 = rows }
        audit.log.tamper { $0 = lines }
        #expect(try await audit.verify().finding == .sound)
        #expect(try await audit.verify(copy).finding == .endMissing(last: 3, checkpoint: 6))
    }

    // T-213
    @Test func `attack: no checkpoint is signed after rows are missing from the end`() async throws {
        try await audit.signed(5)
        audit.store.tamper { $0.removeLast(3) }
        await #expect(throws: AuditEndMissingError(last: 3, checkpoint: 5)) { try await audit.checkpoints.write() }
        #expect(audit.log.all.count == 1)
        // Once the chain has grown over the gap, the earlier checkpoint still shows it.
        audit.pass(.seconds(1))
        try audit.fill(2)
        await #expect(throws: AuditRewrittenError(number: 5)) { try await audit.checkpoints.write() }
        try audit.fill(3)
        await #expect(throws: AuditRewrittenError(number: 5)) { try await audit.checkpoints.write() }
        #expect(audit.log.all.count == 1)
        #expect(try await audit.verify().finding == .rewritten(at: 5))
    }

    // T-213
    @Test func `attack: no checkpoint is signed after a forged line`() async throws {
        try await audit.signed(2)
        audit.log.append("an editor's line")
        try audit.fill(1)
        await #expect(throws: AuditCheckpointForgedError(line: 2)) { try await audit.checkpoints.write() }
        #expect(audit.log.all.count == 2)
    }

    @Test func `a checkpoint follows on one whose row was purged`() async throws {
        try await audit.signed(2)
        audit.pass(.seconds(7200))
        #expect(try await audit.retention().sweep(at: audit.now) == 2)
        #expect(try await audit.checkpoints.write().first?.checkpoint.number == 4)
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `attack: after a purge a changed predecessor of the next row stops the next checkpoint`() async throws {
        try await audit.signed(2)
        audit.store.tamper { $0 = [] }
        audit.pass(.seconds(1))
        try audit.fill(3)
        audit.store.tamper { $0.removeFirst(2) }
        await #expect(throws: AuditRewrittenError(number: 2)) { try await audit.checkpoints.write() }
    }

    // T-215
    @Test(arguments: [(6, "found=no row"), (3, "found=row 3 as the last")])
    func `attack: an emptied or older database logs the expected and the found row as an error`(
        _ cut: Int,
        _ found: String
    ) async throws {
        try await audit.signed(5)
        audit.store.tamper { $0.removeLast(cut) }
        let log = LogLines()
        // Once at its start, once when it stops.
        await audit.checkpoints(interval: .seconds(60), logger: log.logger).run()
        #expect(log.all.count == 2)
        for line in log.all {
            #expect(line.hasPrefix("error "), "\(line)")
            #expect(line.contains("expected=checkpoint of row 5") && line.contains(found), "\(line)")
        }
        #expect(audit.log.all.count == 1)
    }
}
