import Admin
package import Audit
package import Kernel
import Logging
import Settings
import Storage
import Tokens

/// The audit: the chains, their checkpoints, their verification, and the deletion of old rows.
package struct AuditFeature: Sendable {
    let chain: AuditChain
    package let checkpoints: AuditCheckpoints
    /// The clock that decides which rows are deleted.
    package let sweepTime: SweepClock
    package let retention: AuditRetention
    private let file: CheckpointFile
    private let signer: CheckpointSigner
    private let verifier: AuditVerifier

    init(
        _ settings: Settings,
        environment: Environment,
        logger: Logger,
        keyFolder: KeyFolder,
        stores: Stores
    ) throws {
        chain = AuditChain(
            node: CoreFeature.node,
            key: keyFolder.derivedKey(.audit),
            store: stores.audit,
            now: environment.now
        )
        signer = try CheckpointSigner(keyFolder)
        file = CheckpointFile(path: settings.audit.checkpoints)
        let signing = CheckpointSignature(signer: signer)
        verifier = AuditVerifier(chain: chain, signing: signing)
        checkpoints = AuditCheckpoints(
            chain: chain,
            unitOfWork: stores.unitOfWork,
            signing: signing,
            log: file,
            interval: settings.audit.checkpointInterval,
            environment: environment,
            logger: logger
        )
        let history = CheckpointHistory(signing: signing, log: file)
        sweepTime = SweepClock(
            environment,
            witness: stores.upkeep.databaseClock,
            isSupported: { history.supports($0) },
            tell: SweepClockLog(logger: logger).write
        )
        retention = AuditRetention(
            chain: chain,
            checkpoints: history,
            unitOfWork: stores.unitOfWork,
            policy: AuditRetentionPolicy(
                keep: settings.retention.audit,
                interval: settings.retention.sweepInterval,
                batch: settings.retention.batch
            ),
            time: sweepTime,
            clock: environment.clock,
            logger: logger
        )
    }
}

extension AuditFeature: AuditAdministration {
    /// `lines`: checkpoints that were kept elsewhere; `nil`: those of the checkpoint file.
    package func verify(against lines: [String]?) async throws -> AuditReport {
        if let lines { return try await verifier.verify(against: lines) }
        return try await verifier.verify(against: file)
    }

    package func newest(_ limit: Int) async throws -> [AuditRow] { try await chain.newest(limit) }

    package func checkpoint(isAnew: Bool) async throws -> [String] {
        let made = isAnew ? try await checkpoints.beginAgain() : try await checkpoints.write()
        return made.map(\.text)
    }

    package var publicKey: String { signer.publicKey }
}

extension AuditVerifier {
    /// Verifies every chain with the server's own checkpoints.
    func verify(against file: CheckpointFile) async throws -> AuditReport {
        try await verify(against: try file.lines()) { try file.lines().count }
    }
}

/// Signs the audit's checkpoints with a key from the key folder.
struct CheckpointSignature: CheckpointSigning {
    let signer: CheckpointSigner

    func sign(_ checkpoint: AuditCheckpoint) throws -> String {
        try signer.sign(
            CheckpointClaims(node: checkpoint.node, number: checkpoint.number, hash: checkpoint.hash, at: checkpoint.at)
        )
    }

    func read(_ line: String) -> AuditCheckpoint? { (try? signer.read(line)).map(AuditCheckpoint.init) }

    func readUnverified(_ line: String) -> AuditCheckpoint? {
        (try? signer.readUnverified(line)).map(AuditCheckpoint.init)
    }
}

extension AuditCheckpoint {
    fileprivate init(_ claims: CheckpointClaims) {
        self.init(node: claims.node, number: claims.number, hash: claims.hash, at: claims.at)
    }
}
