package import Audit
import Kernel

/// Port: what the command line may ask of the audit.
package protocol AuditAdministration: Sendable {
    /// `lines`: checkpoints that were kept elsewhere; `nil` takes the server's own.
    func verify(against lines: [String]?) async throws -> AuditReport
    /// The newest rows, the last first.
    func newest(_ limit: Int) async throws -> [AuditRow]
    /// Makes a checkpoint of the chain's end if there is none yet; the newest line, `nil` when the audit has no rows.
    ///
    /// `isAnew`: those of before are gone, which is put on record; only where there are none.
    func checkpoint(isAnew: Bool) async throws -> String?
    /// The public key of checkpoints, a JWK.
    var publicKey: String { get }
}

extension AdminReply {
    /// What a check of the audit came to.
    package struct AuditView: Codable, Sendable, Equatable {
        package let isSound: Bool
        /// `sound`, or what is wrong.
        package let finding: String
        /// The same as a sentence.
        package let message: String
        package let firstRow: Int64
        package let lastRow: Int64
        /// How many checkpoints the chain was held against.
        package let checkpoints: Int
        /// The row of the newest checkpoint.
        package let newestCheckpoint: Int64?
        /// Milliseconds since 1970.
        package let newestCheckpointAt: Int64?
        /// Rows behind it: if they were cut off, nothing would show it.
        package let uncoveredRows: Int64
    }

    /// A row of the audit.
    package struct AuditRowView: Codable, Sendable, Equatable {
        package let number: Int64
        /// Milliseconds since 1970.
        package let at: Int64
        package let fact: String
        package let subject: String
        package let account: String?
        package let detail: String?
    }
}

extension AdminReply.AuditView {
    init(_ report: AuditReport) {
        self.init(
            isSound: report.finding == .sound,
            finding: report.finding.code,
            message: report.finding.message,
            firstRow: report.first,
            lastRow: report.last,
            checkpoints: report.checkpoints,
            newestCheckpoint: report.newestCheckpoint?.number,
            newestCheckpointAt: report.newestCheckpoint?.at.milliseconds,
            uncoveredRows: report.uncovered
        )
    }
}

extension AdminReply.AuditRowView {
    init(_ row: AuditRow) {
        self.init(
            number: row.number,
            at: row.entry.at.milliseconds,
            fact: row.entry.fact,
            subject: row.entry.subject,
            account: row.entry.account?.description,
            detail: row.entry.detail
        )
    }
}

extension AuditReport.Finding {
    /// Stable, for scripts.
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
        case .broken(let row): "Row \(row) was changed, dropped or slipped in: the chain breaks there."
        case .wrongKey:
            "No row and no checkpoint fits the keys of this server: the key folder is not the one that the audit was "
                + "written with, or somebody without it wrote the whole audit anew. Put the key folder of this database "
                + "back from the backup, and verify again."
        case .startMissing(let first): "Rows before \(first) are gone, and no purge on record deleted them."
        case .endMissing(let last, let checkpoint):
            "The audit ends with row \(last), but a checkpoint tells of row \(checkpoint): rows were cut off, or an old "
                + "database was brought back."
        case .rewritten(let row): "Row \(row) is not the one that its checkpoint signed: the chain was written anew."
        case .forgedCheckpoint(let line): "Checkpoint \(line) was not signed by this server for this chain."
        case .replayedCheckpoint(let line): "Checkpoint \(line) is no newer than the one before it."
        case .checkpointsMissing(let signed, let found):
            "The audit tells of \(signed) checkpoint(s) and \(found) are there: the file was deleted, cut or replaced, and rows "
                + "may have been cut off with it. Put the file back from a copy and verify again, or verify against the copy "
                + "with --checkpoints."
        }
    }
}
