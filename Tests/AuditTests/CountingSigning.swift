import Synchronization

@testable import Audit

/// Counts the signatures that are checked.
final class CountingSigning: CheckpointSigning {
    private let signing: TestSigning
    private let reads = Mutex(0)

    init(signing: TestSigning) { self.signing = signing }

    var count: Int { reads.withLock { $0 } }

    func sign(_ checkpoint: AuditCheckpoint) -> String { signing.sign(checkpoint) }

    func read(_ line: String) -> AuditCheckpoint? {
        reads.withLock { $0 += 1 }
        return signing.read(line)
    }

    func readUnverified(_ line: String) -> AuditCheckpoint? { signing.readUnverified(line) }
}
