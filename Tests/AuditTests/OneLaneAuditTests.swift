import Kernel
import Testing

@testable import Audit

/// An audit with one connection, as the version before the lanes made it.
struct OneLaneAuditTests {
    private let audit = AuditFixture()

    /// The rows that the version before has made of ``makeAudit()``: number, seconds, event, subject, detail, hash.
    private static let rows = """
        4 0 audit.checkpoint_signed local 2 _jFHWITh2X48CS8dueCfsvMkgkGTpqbsyq0-ZQyUVjs
        5 0 operation.failed row no_match 6VvfyeEO1l0Aj1Hr8iN1pxtlEcmp4H_RxpXrwXOG41o
        6 7200 audit.checkpoint_signed local 3 IHT4MpqDshwwYgNweGuGBAXEjGFBf7jQBJQoiRLfPj4
        7 7200 audit.purged local 3_MsdTBcYypVqgAF_C1R1L7nktyvYL_AWAzblJgezZptM Ppm97aYdo5fFyOYMbsyo-EBr9BWZLr9cSzOFepMYgyA
        8 7200 operation.redeemed row - WexSqM9Ghxix6bQmMu63gt_CPTs5O7F_v9mpEFx0NfY
        9 7200 audit.checkpoint_signed local 4 CXG6xAdF82XtF5-GTIyfVGc86IVK1GvA2RhCHXfTcxs
        10 7200 operation.redeemed row - VaZA56uzke6e4OxAkv8dmdIali8SzgxuLt1XYrZmXBA
        """

    private static let lines = [
        "local|0|AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA|1800000000000|BHfbPIj_Jt4F-Cl3KPoe5h-EnrlarQeXembBxiD8GYE",
        "local|3|MsdTBcYypVqgAF_C1R1L7nktyvYL_AWAzblJgezZptM|1800000000000|J-R72jhWQ2gUwXR6MML8mmHUC3o9QgBbjAfslsmxxdA",
        "local|5|6VvfyeEO1l0Aj1Hr8iN1pxtlEcmp4H_RxpXrwXOG41o|1800007200000|SyjKCuZ5hE2zRtQvSO01EPOugwfJPOtxYWObbk1CKD4",
        "local|8|WexSqM9Ghxix6bQmMu63gt_CPTs5O7F_v9mpEFx0NfY|1800007200000|FExP_zRr5KOKmUjTG07z_-Wo9aUXmZ79nrX3CHwb_Ro",
    ]

    /// A start, checkpoints, a purge of the first three rows, and a row that no checkpoint covers.
    private func makeAudit() async throws {
        await audit.checkpoints.begin()
        try await audit.signed(2)
        try audit.append("operation.failed", detail: "no_match")
        audit.pass(.seconds(7200))
        _ = try await audit.checkpoints.write()
        _ = try await audit.retention().sweep(at: audit.now)
        try await audit.signed(1)
        try audit.fill(1)
    }

    @Test func `an audit of the version before is made in the same way, row by row and line by line`() async throws {
        try await makeAudit()
        let rows = audit.store.all.map { row in
            let (seconds, entry) = ((row.entry.at.milliseconds - 1_800_000_000_000) / 1000, row.entry)
            let detail = entry.detail?.replacing(" ", with: "_") ?? "-"
            let hash = Base64URL.encode(row.hash.bytes)
            return "\(row.number) \(seconds) \(entry.event) \(entry.subject) \(detail) \(hash)"
        }
        #expect(rows == Self.rows.split(separator: "\n").map(String.init))
        #expect(audit.log.all == Self.lines)
        #expect(audit.store.all.allSatisfy { $0.node == "local" })
    }

    @Test func `an audit of the version before verifies, and goes on with several lanes`() async throws {
        try keep()
        let report = try await audit.verify()
        #expect(report.finding == .sound && report.lanes.isEmpty)
        #expect((report.own.first, report.own.last, report.own.checkpoints, report.own.uncovered) == (4, 10, 3, 1))
        audit.pass(.seconds(7300))
        for lane in 1...2 { try audit.fill(1, lane: lane) }
        _ = try await audit.checkpoints.write()
        #expect(audit.log.all.count == Self.lines.count + 3)
        #expect(try await audit.verify().finding == .sound)
        #expect(try await audit.verify(Self.lines).finding == .sound)
    }

    /// Puts the rows and lines of the version before into the store.
    private func keep() throws {
        var previous = try digest("MsdTBcYypVqgAF_C1R1L7nktyvYL_AWAzblJgezZptM")
        for line in Self.rows.split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            let (number, seconds) = (try #require(Int64(parts[0])), try #require(Int64(parts[1])))
            let purge = parts[2] == "audit.purged"
            let entry = AuditEntry(
                at: Instant(seconds: 1_800_000_000 + seconds),
                event: parts[2],
                subject: parts[3],
                account: nil,
                detail: parts[4] == "-" ? nil : purge ? "3 " + parts[4].dropFirst(2) : parts[4]
            )
            let hash = try digest(parts[5])
            audit.store.tamper {
                $0.append(AuditRow(node: "local", number: number, entry: entry, previousHash: previous, hash: hash))
            }
            previous = hash
        }
        audit.log.tamper { $0 = Self.lines }
    }

    private func digest(_ text: String) throws -> Digest256 {
        try #require(Base64URL.decode(text).flatMap { Digest256($0) })
    }
}
