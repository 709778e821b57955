import ArgumentParser
import Audit
import FoundationEssentials
import Kernel

/// `vestibule audit verify`: compares the chains with checkpoints that were kept elsewhere, or with the server's own.
struct VerifyAudit: CommandLineCommand {
    static let name = "verifyAudit"
    static let replyName = "audit"
    static let effect = CommandEffect.reads
    // The whole audit is read, and the signature of each checkpoint is verified.
    static let timeout = Duration.seconds(300)

    /// `nil`: the server's own checkpoints.
    var checkpoints: [String]?
    /// The number of older lines of a copy that didn't fit into the request.
    var leftOut: Int?

    func handle(_ services: AdminServices) async throws -> AuditView {
        var view = AuditView(try await services.audit.verify(against: checkpoints))
        view.copyLines = checkpoints?.count
        view.copyLinesLeftOut = leftOut
        return view
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "verify",
            "Check that no row was changed, dropped, inserted or cut off.",
            about: """
                Walks the whole chain, or on PostgreSQL the chain of each connection, and compares it with the signed \
                checkpoints. A copy of the checkpoints that was \
                kept elsewhere also shows whether the audit was restored to an earlier state together with its own \
                checkpoints. Of a copy the newest 12 MiB are used, and the reply says how many lines were left out. \
                Exit code 0 when the audit is sound, 1 when it is not.
                """,
            examples: [
                "vestibule audit verify",
                "vestibule audit verify --checkpoints /mnt/elsewhere/checkpoints.jws --json",
            ]
        )

        @Option(help: "A copy of the checkpoints that was kept elsewhere, by default the server's own.")
        var checkpoints: String?

        func command(_ input: CommandInput) throws -> any AdminCommand<AuditView> {
            let copy = try checkpoints.map(Self.copy)
            return VerifyAudit(checkpoints: copy?.lines, leftOut: copy?.leftOut)
        }

        func lines(_ reply: AuditView) -> [String] { reply.summary }

        func refusal(_ reply: AuditView) -> String? { reply.isSound ? nil : reply.message }

        private static func copy(_ file: String) throws(CommandInputError) -> CheckpointCopy {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
                throw .unreadable("The checkpoints \(file) cannot be read. Check the path and its permissions.")
            }
            let copy = CheckpointCopy(String(decoding: data, as: UTF8.self))
            guard !copy.lines.isEmpty else {
                throw .refused("The file \(file) has no checkpoints. Name a copy of the file that has some.")
            }
            return copy
        }
    }
}

/// The result of verifying the audit, with the numbers of the node's own chain.
struct AuditView: Codable, Sendable {
    let isSound: Bool
    /// `sound`, or the code of the fault.
    let finding: String
    /// The finding as a sentence.
    let message: String
    let firstRow: Int64
    let lastRow: Int64
    /// The number of checkpoints that the chain was compared with.
    let checkpoints: Int
    /// The row of the newest checkpoint.
    let newestCheckpoint: Int64?
    /// Milliseconds since 1970.
    let newestCheckpointAt: Int64?
    /// The number of rows after the newest checkpoint: if they were deleted, the verification would not notice.
    let uncoveredRows: Int64
    /// The chains of the other connections; `nil` if there are none, as on SQLite.
    let lanes: [AuditLaneView]?
    /// The number of lines of the copy that were used; `nil` for the server's own checkpoints.
    var copyLines: Int?
    /// The number of older lines of the copy that were left out.
    var copyLinesLeftOut: Int?

    init(_ report: AuditReport) {
        isSound = report.finding == .sound
        finding = report.finding.code
        message = (report.chain.map { "Chain \($0): " } ?? "") + report.finding.message
        firstRow = report.own.first
        lastRow = report.own.last
        checkpoints = report.own.checkpoints
        newestCheckpoint = report.own.newestCheckpoint?.number
        newestCheckpointAt = report.own.newestCheckpoint?.at.milliseconds
        uncoveredRows = report.own.uncovered
        lanes = report.lanes.isEmpty ? nil : report.lanes.map(AuditLaneView.init)
    }

    /// The lines for people, without the fault, which is printed to standard error.
    var summary: [String] {
        [own.summary] + (lanes ?? []).map { "\($0.chain): \($0.summary)" } + usedCopy + (isSound ? [message] : [])
    }

    /// How much of the copy was used, unless all of it was.
    private var usedCopy: [String] {
        guard let copyLines, let copyLinesLeftOut, copyLinesLeftOut > 0 else { return [] }
        return [
            "Only the newest \(copyLines) of \(copyLines + copyLinesLeftOut) line(s) of the copy were used: the others do "
                + "not fit into a request. Verify them in parts of 11 MiB."
        ]
    }

    private var own: AuditLaneView {
        AuditLaneView(
            chain: "",
            firstRow: firstRow,
            lastRow: lastRow,
            checkpoints: checkpoints,
            newestCheckpoint: newestCheckpoint,
            newestCheckpointAt: newestCheckpointAt,
            uncoveredRows: uncoveredRows
        )
    }
}

/// The extent of the chain of one connection, with the meanings of ``AuditView``.
struct AuditLaneView: Codable, Sendable {
    let chain: String
    let firstRow: Int64
    let lastRow: Int64
    let checkpoints: Int
    let newestCheckpoint: Int64?
    let newestCheckpointAt: Int64?
    let uncoveredRows: Int64

    fileprivate var summary: String {
        let rows = lastRow == 0 ? "no rows" : "rows \(firstRow) to \(lastRow)"
        guard let newestCheckpoint else { return "\(rows), no checkpoint" }
        let newest = "newest checkpoint at row \(newestCheckpoint), \(Rendering.time(newestCheckpointAt))"
        return "\(rows), \(checkpoints) checkpoint(s), \(newest), \(uncoveredRows) row(s) behind it"
    }
}

extension AuditLaneView {
    init(_ report: AuditChainReport) {
        self.init(
            chain: report.name,
            firstRow: report.first,
            lastRow: report.last,
            checkpoints: report.checkpoints,
            newestCheckpoint: report.newestCheckpoint?.number,
            newestCheckpointAt: report.newestCheckpoint?.at.milliseconds,
            uncoveredRows: report.uncovered
        )
    }
}

extension AuditReport.Finding {
    /// A stable code, for scripts.
    fileprivate var code: String {
        switch self {
        case .sound: "sound"
        case .broken: "broken"
        case .wrongKey: "wrong_key"
        case .startMissing: "start_missing"
        case .endMissing: "end_missing"
        case .rewritten: "rewritten"
        case .forgedCheckpoint: "forged_checkpoint"
        case .replayedCheckpoint: "replayed_checkpoint"
        case .checkpointsMissing: "checkpoints_missing"
        }
    }

    fileprivate var message: String {
        switch self {
        case .sound: "The audit is sound."
        case .broken(let row): "Row \(row) was changed, dropped or inserted: the chain breaks there."
        case .wrongKey:
            "No row and no checkpoint matches the keys of this server: the audit was written with another key folder, "
                + "or rewritten without it. Restore the key folder of this database from the backup, "
                + "and verify again."
        case .startMissing(let first): "Rows before \(first) are missing, and no recorded purge deleted them."
        case .endMissing(let last, let checkpoint):
            "The audit ends with row \(last), but a checkpoint names row \(checkpoint): rows were cut off, or an old "
                + "database was restored."
        case .rewritten(let row): "Row \(row) is not the row that its checkpoint signed: the chain was rewritten."
        case .forgedCheckpoint(let line): "Checkpoint \(line) was not signed by this server for this chain."
        case .replayedCheckpoint(let line): "Checkpoint \(line) is not newer than the one before it."
        case .checkpointsMissing(let signed, let found):
            "The audit names \(signed) checkpoint(s), but \(found) exist: the file was deleted, cut or replaced, and rows "
                + "may be missing too. Restore the file from a copy and verify again, or verify against the copy "
                + "with --checkpoints."
        }
    }
}
