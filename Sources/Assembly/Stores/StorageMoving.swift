package import Audit
package import Kernel
package import Settings
package import Storage
import Tokens

/// The outcome of a move.
package struct StorageMoved: Sendable {
    package let rows: MovedRowsReport
    /// The audit in the PostgreSQL database, which is sound.
    package let audit: AuditChainReport?
}

extension Composition {
    /// Moves all rows of the SQLite file to the PostgreSQL database that the settings name, and closes both.
    ///
    /// The file is only read. The data folder must be locked by the caller.
    ///
    /// `report`: receives the progress.
    ///
    /// - Throws: `StorageMoveError`, `StoreOpenError`, `PostgresOpenError`, ``UnusableFilesError`` or `KeyError`, whose
    ///   messages say what to do. Then nothing was moved, unless the code is `target_uncertain`.
    package static func move(
        _ settings: Settings,
        to postgres: PostgresOptions,
        environment: Environment,
        report: @escaping (MoveProgress) -> Void
    ) async throws -> StorageMoved {
        var ofSource = settings
        ofSource.storage.postgres = nil
        let source = try MoveSource(ofSource.storage.sqlite)
        try KeyDatabasePairing.check(ofSource, environment: environment)
        let secrets = settings.secrets
        let folder = try KeyFolder.find(
            at: secrets.keyFolder,
            environment: environment,
            encryptionKeys: secrets.folderEncryptionKeys
        )
        guard let folder else {
            throw StorageMoveError(
                .sourceUnused,
                "The database \(source.path) was never started with keys, so that there is nothing to move. Name "
                    + "PostgreSQL in the config, and run `vestibule migrate`."
            )
        }
        let audit = try MovedAudit(settings, folder, environment: environment)
        let move = StorageMove(from: source, to: postgres, environment: environment, report: report)
        var verified: AuditChainReport?
        let rows = try await move.run { verified = try await audit.verified(in: $0) }
        return StorageMoved(rows: rows, audit: verified)
    }
}

/// The audit in either database, verified as `vestibule audit verify` does.
private struct MovedAudit {
    private let key: KeyFolder
    private let signer: CheckpointSigner
    private let file: CheckpointFile
    private let environment: Environment

    init(_ settings: Settings, _ folder: KeyFolder, environment: Environment) throws {
        key = folder
        signer = try CheckpointSigner(folder)
        // The config may be that of the daemon to come, which has no file.
        let audit = settings.audit.output == nil ? settings.audit : AuditSettings(dataFolder: settings.dataFolder)
        file = CheckpointFile(path: audit.checkpoints)
        self.environment = environment
    }

    /// - Throws: `StorageMoveError` for an audit that is not sound.
    func verified(in database: any SQLDatabase) async throws -> AuditChainReport {
        let chain = AuditChain(
            node: CoreFeature.node,
            key: key.derivedKey(.audit),
            store: SQLAuditStore(database),
            now: environment.now
        )
        let verifier = AuditVerifier(chain: chain, signing: CheckpointSignature(signer: signer))
        let report = try await verifier.verify(against: file)
        guard report.finding == .sound else {
            throw StorageMoveError(
                .auditUnsound,
                "The audit is not sound, so that nothing was moved. Run `vestibule audit verify`, "
                    + "which says why and what to do."
            )
        }
        return report.own
    }
}
