import Kernel
import Synchronization
import Testing

@testable import Audit

/// The chain itself says how many checkpoints were signed.
struct AuditSigningTests {
    private let audit = AuditFixture()

    // The demand of RFC 6962 §1 on a log, turned around: the log names its checkpoints as they name it.
    // T-213
    @Test func `attack: rows cut off together with the whole file of checkpoints are detected by the remaining rows`()
        async throws
    {
        try await audit.signed(3)
        try await audit.signed(2)
        audit.log.tamper { $0 = [] }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 2, found: 0))
        audit.store.tamper { $0.removeLast(3) }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 1, found: 0))
    }

    // T-213
    @Test func `attack: rows cut off after the first checkpoint together with the file are detected`()
        async throws
    {
        let checkpoints = audit.checkpoints
        // Once at its start, when there is nothing, and once when it stops.
        await checkpoints.run()
        #expect(audit.store.all.map(\.entry.event) == ["audit.checkpoints_begun", "audit.checkpoint_signed"])
        try audit.fill(5)
        _ = try await checkpoints.write()
        #expect(try await audit.verify().finding == .sound)
        audit.log.tamper { $0 = [] }
        audit.store.tamper { $0.removeLast(6) }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 2, found: 0))
        await audit.checkpoints.run()
        #expect(audit.log.all.isEmpty && audit.store.all.count == 2, "it begins but once")
    }

    // T-213
    @Test func `attack: a chain cut to its first row without checkpoints is detected and not signed`() async throws {
        await audit.checkpoints.run()
        try audit.fill(3)
        audit.store.tamper { $0 = Array($0.prefix(1)) }
        audit.log.tamper { $0 = [] }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 1, found: 0))
        let log = LogLines()
        await audit.checkpoints(interval: .seconds(60), logger: log.logger).run()
        #expect(log.all.count == 2 && audit.log.all.isEmpty, "nothing is signed over the loss")
        for line in log.all {
            #expect(line.hasPrefix("error ") && line.contains("put the checkpoints back"), "\(line)")
        }
    }

    // T-213
    @Test func `attack: with all rows deleted the checkpoints detect it, and the daemon signs nothing`() async throws {
        await audit.checkpoints.run()
        audit.store.tamper { $0 = [] }
        #expect(try await audit.verify().finding == .endMissing(last: 0, checkpoint: 1))
        await #expect(throws: AuditEndMissingError(last: 0, checkpoint: 1)) { try await audit.checkpoints.write() }
        await audit.checkpoints.run()
        #expect(audit.store.all.isEmpty, "it does not start again")
    }

    @Test(arguments: 0..<4)
    func `a crash at any moment of the first start is harmless, and the next start continues from there`(
        _ units: Int
    ) async throws {
        await audit.checkpoints(interval: .seconds(60), unitOfWork: DirectUnits(failAfter: units)).run()
        let report = try await audit.verify()
        #expect(report.finding == .sound)
        await audit.checkpoints.run()
        #expect(try await audit.verify().finding == .sound)
        let events = audit.store.all.map(\.entry.event)
        #expect(events == ["audit.checkpoints_begun", "audit.checkpoint_signed"])
        #expect(audit.log.all.count == 2)
    }

    // T-213
    @Test func `attack: a checkpoint removed from the end of the file is detected, with or without its rows`()
        async throws
    {
        for _ in 0..<3 { try await audit.signed(2) }
        let lines = audit.log.all
        audit.log.tamper { $0.removeLast() }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 3, found: 2))
        audit.log.tamper { $0 = Array(lines.prefix(1)) }
        audit.store.tamper { $0.removeLast(2) }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 2, found: 1))
    }

    // T-213
    @Test func `attack: no checkpoint is signed while earlier checkpoints are missing`()
        async throws
    {
        let running = audit.checkpoints
        try audit.fill(2)
        _ = try await running.write()
        audit.log.tamper { $0 = [] }
        try audit.fill(2)
        for checkpoints in [running, audit.checkpoints] {
            await #expect(throws: AuditCheckpointsMissingError(signed: 1, found: 0)) { try await checkpoints.write() }
        }
        #expect(audit.log.all.isEmpty)
        let log = LogLines()
        await audit.checkpoints(interval: .seconds(60), logger: log.logger).run()
        #expect(log.all.count == 2, "once at its start, once when it stops")
        for line in log.all {
            #expect(line.hasPrefix("error ") && line.contains("put the checkpoints back from a copy"), "\(line)")
            #expect(line.contains("expected=1") && line.contains("found=0") && line.contains("--anew"), "\(line)")
        }
    }

    @Test func `a file that is put back is taken up again where it ended`() async throws {
        let running = audit.checkpoints
        try audit.fill(2)
        _ = try await running.write()
        let lines = audit.log.all
        audit.log.tamper { $0 = [] }
        try audit.fill(2)
        await #expect(throws: AuditCheckpointsMissingError.self) { try await running.write() }
        audit.log.tamper { $0 = lines }
        #expect(try await running.write().first?.checkpoint.number == 5)
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `checkpoints start again where there are none, and that is on record`() async throws {
        try await audit.signed(2)
        await #expect(throws: AuditCheckpointsPresentError(count: 1)) { try await audit.checkpoints.beginAgain() }
        audit.log.tamper { $0 = [] }
        #expect(try await audit.checkpoints.beginAgain().first?.checkpoint.number == 4)
        #expect(audit.store.all.map(\.entry.event).contains("audit.checkpoints_begun_anew"))
        #expect(try await audit.verify().finding == .sound)
        #expect(audit.store.all.last?.entry.detail?.hasPrefix("1 ") == true, "later rows repeat the restart")
        try await audit.signed(1)
        #expect(try await audit.verify().own.checkpoints == 2)
        audit.log.tamper { $0.removeLast() }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 2, found: 1))
    }

    @Test func `a crash between a checkpoint and its row is not an error, and the next checkpoint makes up for it`()
        async throws
    {
        try audit.fill(2)
        // The first unit looks at the chain, the second one would put the checkpoint on record.
        let dying = audit.checkpoints(interval: .seconds(60), unitOfWork: DirectUnits(failAfter: 1))
        await #expect(throws: StoreError.self) { try await dying.write() }
        #expect(audit.log.all.count == 1 && audit.store.all.count == 2)
        #expect(try await audit.verify().finding == .sound)
        #expect(try await audit.checkpoints.write().first?.checkpoint.number == 2)
        #expect(audit.store.all.last?.entry.detail == "1")
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `a copy of the checkpoints that is behind does not count as a loss`() async throws {
        try await audit.signed(2)
        let copy = audit.log.all
        try await audit.signed(2)
        #expect(try await audit.verify(copy).finding == .sound)
    }

    @Test func `a checkpoint that a running daemon makes during the verification is not missing`() async throws {
        try await audit.signed(2)
        let lines = audit.log.all
        try await audit.signed(2)
        let verifier = AuditVerifier(chain: audit.chain, signing: audit.signing)
        #expect(try await verifier.verify(against: lines) { audit.log.all.count }.finding == .sound)
        let found = try await verifier.verify(against: lines) { lines.count }.finding
        #expect(found == .checkpointsMissing(signed: 2, found: 1))
    }

    @Test func `a verification reads the log only on threads that may be blocked`() async throws {
        try await audit.signed(2)
        try await audit.signed(2)
        let log = GrowingLog(audit.log.all)
        let verifier = AuditVerifier(chain: audit.chain, signing: audit.signing)
        #expect(try await verifier.verify(against: log).finding == .sound)
        #expect(log.readings == [false, false], "the second one finds the line that was added meanwhile")
    }

    @Test func `without rows but those of checkpoints no checkpoint is made, also by a daemon that has just begun`()
        async throws
    {
        try await audit.signed(2)
        for _ in 0..<3 { _ = try await audit.checkpoints.write() }
        #expect(audit.log.all.count == 1 && audit.store.all.count == 3)
        #expect(try await audit.verify().own.uncovered == 0)
    }

    @Test func `how many were signed outlives a purge of old rows`() async throws {
        try await audit.signed(2)
        try await audit.signed(2)
        audit.pass(.seconds(7200))
        #expect(try await audit.retention().sweep(at: audit.now) == 5)
        audit.log.tamper { $0 = [] }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 2, found: 0))
    }

    // T-213
    @Test func `attack: a row that counts fewer checkpoints is detected as broken`() async throws {
        try await audit.signed(2)
        try await audit.signed(2)
        audit.store.tamper { all in
            let last = all[all.count - 1]
            all[all.count - 1] = last.with(entry: AuditSigning(count: 1).entry(of: "local", at: last.entry.at))
        }
        audit.log.tamper { $0.removeLast() }
        #expect(try await audit.verify().finding == .broken(at: 6))
        await #expect(throws: AuditRewrittenError(number: 6)) { try await audit.checkpoints.write() }
    }
}

/// A log that gets its last line after the first reading.
private final class GrowingLog: CheckpointLog {
    private let whole: [String]
    /// Whether each reading was on a thread that runs tasks.
    private let onTasks = Mutex<[Bool]>([])

    init(_ whole: [String]) { self.whole = whole }

    var readings: [Bool] { onTasks.withLock { $0 } }

    func lines() -> [String] {
        let isOnTask = withUnsafeCurrentTask { $0 != nil }
        return onTasks.withLock { readings in
            readings.append(isOnTask)
            return readings.count == 1 ? whole.dropLast() : whole
        }
    }

    func append(_ lines: [String], after size: Int64) throws -> Int64 { throw CheckpointRaceError() }

    func size() -> Int64 { Int64(whole.count) }
}
