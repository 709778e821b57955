import Kernel
import Testing

@testable import Audit

/// Attacks on a chain that a round of checkpoints signed alone: a second chain counts its checkpoint.
struct LoneLaneAttackTests {
    private let audit = AuditFixture()
    private let names = ["local", "local.1", "local.2"]

    /// Three chains that were signed together, and one of them that was signed once more.
    private func history(_ lane: Int) async throws -> AuditCheckpoints {
        let checkpoints = audit.checkpoints
        for lane in 0..<3 { try audit.fill(2, lane: lane) }
        _ = try await checkpoints.write()
        try audit.fill(1, lane: lane)
        _ = try await checkpoints.write()
        #expect(audit.log.all.count == 4)
        return checkpoints
    }

    private func counts(_ count: String) -> Set<String> {
        Set(audit.store.all.filter { $0.entry.detail == count }.map(\.node))
    }

    // T-269
    @Test(arguments: 0..<3)
    func `attack: the chain that was signed last and alone is detected when it is cut together with its line`(
        _ lane: Int
    ) async throws {
        _ = try await history(lane)
        audit.store.tamper { [names] in $0.removeAll { $0.node == names[lane] && $0.number > 3 } }
        audit.log.tamper { $0.removeLast() }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 4, found: 3))
        await #expect(throws: AuditCheckpointsMissingError(signed: 4, found: 3)) { try await audit.checkpoints.write() }
    }

    // T-269
    @Test func `attack: a new chain that was signed alone is detected when it is deleted together with its line`()
        async throws
    {
        _ = try await history(0)
        try audit.fill(3, lane: 7)
        _ = try await audit.checkpoints.write()
        audit.store.tamper { $0.removeAll { $0.node == "local.7" } }
        audit.log.tamper { $0.removeLast() }
        #expect(try await audit.verify().finding == .checkpointsMissing(signed: 5, found: 4))
    }

    @Test(arguments: 0..<3)
    func `the row of the second chain causes no further checkpoint, and leaves no row uncovered`(
        _ lane: Int
    ) async throws {
        let running = try await history(lane)
        #expect(counts("4").count == 2 && counts("4").contains(names[lane]))
        let (rows, lines) = (audit.store.all, audit.log.all)
        for checkpoints in [running, audit.checkpoints, running] { _ = try await checkpoints.write() }
        #expect(audit.store.all == rows && audit.log.all == lines)
        let report = try await audit.verify()
        #expect(([report.own] + report.lanes).map(\.uncovered) == [0, 0, 0])
    }

    @Test(arguments: 1...2)
    func `a crash before the second chain counts a checkpoint is made up for by the next daemon`(
        _ units: Int
    ) async throws {
        _ = try await history(0)
        try audit.fill(1, lane: 2)
        let dying = audit.checkpoints(interval: .seconds(60), unitOfWork: DirectUnits(failAfter: units))
        await #expect(throws: StoreError.self) { try await dying.write() }
        #expect(audit.log.all.count == 5 && counts("5").count == units - 1)
        _ = try await audit.checkpoints.write()
        #expect(audit.log.all.count == 5 && counts("5").count == 2)
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `a chain that only counts for another is signed at times, so that its rows can be purged`() async throws
    {
        for lane in 0..<2 { try audit.fill(1, lane: lane) }
        _ = try await audit.checkpoints.write()
        for _ in 0..<200 {
            try audit.fill(1, lane: 1)
            _ = try await audit.checkpoints.write()
        }
        let own = audit.log.all.compactMap(audit.signing.read).filter { $0.node == "local" }
        #expect(own.map(\.number) == [1, 66, 131, 196] && audit.log.all.count == 201 + 4)
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `a single chain counts each of its checkpoints once`() async throws {
        for _ in 0..<3 { try await audit.signed(1) }
        #expect(audit.store.all.map(\.entry.detail) == [nil, "1", nil, "2", nil, "3"])
    }
}
