import Audit
import Kernel
import Settings
import Storage
import Tokens

/// Checks that the database and the key folder belong together.
///
/// Keys are created once, before the first row that needs them, and the database stores a mark of them. Without this
/// check, a database without keys would get new keys, and a database beside another server's keys would use those. Its
/// tokens, links and encrypted columns would become invalid. Its audit would look forged, permanently if rows were
/// added meanwhile. A database from before the marks is recognized by its audit, whose rows have keyed hashes.
enum KeyDatabasePairing {
    /// Checks before the database or the key folder is created or changed.
    ///
    /// - Throws: ``UnusableFilesError`` if the database holds rows or a mark and the key folder has no root key. Also
    ///   if the root key does not match the mark, or, without a mark, none of the audit's last rows.
    static func check(_ settings: Settings, environment: Environment) throws {
        let (folder, database) = (settings.secrets.keyFolder, settings.storage)
        let recorded = try database.keyMark(clock: environment.clock)
        let found = try KeyFolder.find(
            at: folder,
            environment: environment,
            encryptionKeys: settings.secrets.folderEncryptionKeys
        )
        if let found {
            let belongs =
                try recorded.map { $0.matches(found.databaseMark) }
                ?? hasMadeAudit(of: database, found, clock: environment.clock)
            guard !belongs else { return }
            throw UnusableFilesError(
                message:
                    "The database \(database.name) belongs to other keys than those in \(folder), which would void every "
                    + "token, every link and the audit, so nothing was changed. " + advice
            )
        }
        guard try recorded != nil || database.holdsRows(clock: environment.clock) else { return }
        throw UnusableFilesError(
            message:
                "The database \(database.name) belongs to keys that are gone: \(folder)/root.key does not exist. New ones "
                + "would void every token and link and the whole audit, so none were made. " + advice
        )
    }

    /// The number of rows of each audit chain that are checked, from the last on.
    ///
    /// One row that was changed in the database must not decide.
    private static let rows = 100

    /// Whether a row of the audit was made with these keys; `true` for an audit without rows.
    private static func hasMadeAudit(
        of database: StorageOptions,
        _ folder: KeyFolder,
        clock: any MonotonicClock
    ) throws -> Bool {
        let newest = try database.newestAudit(of: CoreFeature.node, limit: rows, clock: clock)
        let key = AuditRowKey(folder.derivedKey(.audit))
        return newest.isEmpty || newest.contains { key.hasMade($0) }
    }

    /// Returns the error of a first start that another one, with other keys, came before.
    static func otherKeys(of options: PostgresOptions) -> UnusableFilesError {
        let name = StorageOptions.name(of: options)
        return UnusableFilesError(
            message: "The database \(name) was just started with other keys, so nothing more was changed. " + advice
        )
    }

    private static let advice =
        "Put the key folder back from the backup of this database, name it in secrets.keyFolder, or, if the keys are "
        + "lost, begin with an empty data folder (docs/guide/run-in-production.md, \"Back up and restore\")."
}
