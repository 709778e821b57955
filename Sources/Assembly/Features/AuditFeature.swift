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
    private let log: any CheckpointLog
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
        log = Self.log(settings.audit, of: stores.upkeep, logger)
        let signing = CheckpointSignature(signer: signer)
        verifier = AuditVerifier(chain: chain, signing: signing)
        checkpoints = AuditCheckpoints(
            chain: chain,
            unitOfWork: stores.unitOfWork,
            signing: signing,
            log: log,
            rounds: LeaderRounds(
                every: settings.audit.checkpointInterval,
                clock: environment.clock,
                nodes: stores.upkeep.nodes
            ),
            logger: logger
        )
        let history = CheckpointHistory(signing: signing, log: log)
        let witness = stores.upkeep.databaseClock
        sweepTime = SweepClock(
            environment,
            witness: witness,
            // Where the server's clock decides, its checkpoints need not be asked for.
            isSupported: { witness?.now == nil && history.supports($0) },
            tell: SweepClockLog(logger: logger).write
        )
        retention = AuditRetention(
            chain: chain,
            checkpoints: history,
            unitOfWork: stores.unitOfWork,
            policy: AuditRetentionPolicy(
                keep: settings.retention.audit,
                batch: settings.retention.batch
            ),
            time: sweepTime,
            rounds: LeaderRounds(
                every: settings.retention.sweepInterval,
                clock: environment.clock,
                nodes: stores.upkeep.nodes
            ),
            logger: logger
        )
    }

    /// Returns the log in the database with this daemon's copy, or the file that is the log.
    private static func log(
        _ settings: AuditSettings,
        of upkeep: any StoreUpkeep,
        _ logger: Logger
    ) -> any CheckpointLog {
        let file: any CheckpointLog =
            switch settings.output {
            case .standardOutput: CheckpointOutput.standardOutput
            case .standardError: CheckpointOutput.standardError
            case nil: CheckpointFile(path: settings.checkpoints)
            }
        guard let shared = upkeep.checkpoints else { return file }
        return CopiedCheckpointLog(shared, copiedTo: file) { error in
            logger.error(
                "checkpoints of the audit are in the database only: make audit.checkpoints writable, and they are copied",
                metadata: ["cause": "\(error)"]
            )
        }
    }
}

extension AuditFeature: AuditAdministration {
    /// `lines`: checkpoints that were kept elsewhere; `nil`: those of the server's own log.
    package func verify(against lines: [String]?) async throws -> AuditReport {
        if let lines { return try await verifier.verify(against: lines) }
        return try await verifier.verify(against: log)
    }

    package func newest(_ limit: Int) async throws -> [AuditRow] { try await chain.newest(limit) }

    package func search(_ filter: AuditFilter, limit: Int) async throws -> [AuditRow] {
        try await chain.search(filter, limit: limit)
    }

    package func checkpoint(isAnew: Bool) async throws -> [String] {
        let made = isAnew ? try await checkpoints.beginAgain() : try await checkpoints.write()
        return made.map(\.text)
    }

    package var publicKey: String { signer.publicKey }
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
