import Kernel
import Testing

@testable import Audit

/// Attacks with checkpoints from before `audit checkpoint --anew`, which are still signed and fit their chains.
struct RestartedLaneAttackTests {
    private let audit = AuditFixture()

    /// Three chains whose checkpoints were lost and begun anew in row 6, and the lost lines.
    private func history() async throws -> [String] {
        for count in [2, 1] {
            for lane in 0..<3 { try audit.fill(count, lane: lane) }
            _ = try await audit.checkpoints.write()
        }
        let old = audit.log.all
        audit.log.tamper { $0 = [] }
        _ = try await audit.checkpoints.beginAgain()
        #expect(old.count == 6 && audit.log.all.count == 3)
        #expect(audit.store.all.filter { $0.number == 7 }.map(\.entry.detail) == ["3 6", "3 6", "3 6"])
        return old
    }

    private func delete(_ name: String) {
        audit.store.tamper { $0.removeAll { $0.node == name } }
        audit.log.tamper { [signing = audit.signing] in $0.removeAll { signing.read($0)?.node == name } }
    }

    // T-269
    @Test(arguments: ["local", "local.1", "local.2"], [false, true])
    func `attack: an old line does not fill the place of a deleted chain's line`(
        _ name: String,
        _ isInFront: Bool
    ) async throws {
        let old = try await history().filter { audit.signing.read($0)?.node != name }
        delete(name)
        audit.log.tamper { $0.insert(old[0], at: isInFront ? 0 : 1) }
        let finding = try await audit.verify().finding
        // Behind a newer line of its chain it looks replayed.
        #expect(finding == (isInFront ? .checkpointsMissing(signed: 3, found: 2) : .replayedCheckpoint(line: 2)))
        await #expect(throws: AuditCheckpointsMissingError(signed: 3, found: 2)) { try await audit.checkpoints.write() }
    }

    // T-269
    @Test func `attack: the old lines do not count after the restart's own rows are purged either`() async throws {
        let old = try await history()
        for lane in 0..<3 { try audit.fill(1, lane: lane) }
        _ = try await audit.checkpoints.write()
        audit.pass(.seconds(7200))
        _ = try await audit.retention(batch: 50).sweep(at: audit.now)
        #expect(!audit.store.all.contains { $0.entry.event == "audit.checkpoints_begun_anew" })
        #expect(try await audit.verify().finding == .sound)
        delete("local.2")
        audit.log.tamper { $0 = Array(old.prefix(2)) + $0 }
        #expect(audit.log.all.count == 6)
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 6, found: 4))
        await #expect(throws: AuditCheckpointsMissingError(signed: 6, found: 4)) { try await audit.checkpoints.write() }
    }

    @Test func `old lines that are put back before the new ones are no fault, and do not count`() async throws {
        let old = try await history()
        audit.log.tamper { $0 = old + $0 }
        #expect(try await audit.verify().finding == .sound)
        try audit.fill(1, lane: 1)
        _ = try await audit.checkpoints.write()
        #expect(audit.rows("local.1").last?.entry.detail == "4 6")
        #expect(try await audit.verify().finding == .sound)
        audit.log.tamper { $0.removeLast() }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 4, found: 3))
        #expect(try await audit.verify(old).finding == .sound, "a copy of the old ones still says what it said")
    }

    @Test func `attack: old lines that are put back do not count for a single chain either`() async throws {
        try await audit.signed(2)
        let old = audit.log.all
        audit.log.tamper { $0 = [] }
        _ = try await audit.checkpoints.beginAgain()
        audit.log.tamper { $0 = old + $0 }
        try await audit.signed(1)
        #expect(audit.log.all.count == 3 && audit.store.all.last?.entry.detail?.hasPrefix("2 ") == true)
        #expect(try await audit.verify().finding == .sound)
        audit.log.tamper { $0.removeLast() }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 2, found: 1))
    }

    @Test(arguments: ["x", "3 x", "3 6 1", "0", "-1 6", "", nil])
    func `a row with another detail counts nothing`(_ detail: String?) {
        let entry = AuditEntry(
            at: audit.now,
            event: AuditSigning.event,
            subject: "local",
            account: nil,
            detail: detail
        )
        let row = AuditRow(node: "local", number: 7, entry: entry, previousHash: .zero, hash: .zero)
        #expect(AuditSigning(row) == nil)
    }
}
