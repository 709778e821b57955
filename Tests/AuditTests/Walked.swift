@testable import Audit

/// Signs nothing: for chains that are held against no checkpoint.
struct NoSigning: CheckpointSigning {
    func sign(_ checkpoint: AuditCheckpoint) throws -> String { "" }
    func read(_ line: String) -> AuditCheckpoint? { nil }
    func readUnverified(_ line: String) -> AuditCheckpoint? { nil }
}

/// The result of a walk along a chain that was never purged.
enum Walked: Equatable {
    case sound(rows: Int64)
    case broken(at: Int64)
    case other(AuditReport.Finding)
}

extension AuditChain {
    func verify() async throws -> Walked {
        let report = try await AuditVerifier(chain: self, signing: NoSigning()).verify()
        return switch report.finding {
        case .sound: .sound(rows: report.own.last)
        case .broken(let row): .broken(at: row)
        case .startMissing: .broken(at: 1)
        case .wrongKey, .endMissing, .rewritten, .forgedCheckpoint, .replayedCheckpoint, .checkpointsMissing:
            .other(report.finding)
        }
    }
}
