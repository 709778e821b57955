import Synchronization

@testable import Audit

/// Counts the signatures that are checked, and the lines that are read without a check.
final class CountingSigning: CheckpointSigning {
    private let signing: TestSigning
    private let reads = Mutex(0)
    private let unverified = Mutex(0)

    init(signing: TestSigning) { self.signing = signing }

    var count: Int { reads.withLock { $0 } }
    var unverifiedCount: Int { unverified.withLock { $0 } }

    func sign(_ checkpoint: AuditCheckpoint) -> String { signing.sign(checkpoint) }

    func read(_ line: String) -> AuditCheckpoint? {
        reads.withLock { $0 += 1 }
        return signing.read(line)
    }

    func readUnverified(_ line: String) -> AuditCheckpoint? {
        unverified.withLock { $0 += 1 }
        return signing.readUnverified(line)
    }
}
