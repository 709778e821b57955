import Audit
import Kernel
import Settings
import Storage
import Tokens

/// Rows and keys belong together: keys are made once, before there is a row that needs them, and the database keeps a
/// mark of them.
///
/// A database without keys would get new keys, and a database beside another server's keys would take those. Its
/// tokens, links and encrypted columns would be void. Its audit would look forged, for good where rows were added
/// meanwhile. A database from before the marks is recognized by its audit, whose rows have keyed hashes.
enum KeyDatabasePairing {
    /// Looks before anything is made or changed, in either of them.
    ///
    /// - Throws: ``UnusableFilesError`` when the database holds rows or a mark and the key folder has no root key. Also when the
    ///   root key is not that of the mark, or, without a mark, made none of the audit's last rows.
    static func check(_ settings: Settings, environment: Environment) throws {
        let (folder, options) = (settings.secrets.keyFolder, settings.storage)
        let recorded = try SQLiteDatabase.keyMark(options)
        let found = try KeyFolder.find(
            at: folder,
            environment: environment,
            encryptionKeys: settings.secrets.folderEncryptionKeys
        )
        if let found {
            let belongs = try recorded.map { $0.matches(found.databaseMark) } ?? hasMadeAudit(of: options, found)
            guard !belongs else { return }
            throw UnusableFilesError(
                message:
                    "The database \(options.path) belongs to other keys than those in \(folder), which would void every "
                    + "token, every link and the audit, so nothing was changed. " + advice
            )
        }
        guard try recorded != nil || SQLiteDatabase.holdsRows(options) else { return }
        throw UnusableFilesError(
            message:
                "The database \(options.path) belongs to keys that are gone: \(folder)/root.key does not exist. New ones "
                + "would void every token and link and the whole audit, so none were made. " + advice
        )
    }

    /// How many of the audit's last rows are looked at: one that was changed in the file must not speak for all.
    private static let rows = 100

    /// Whether the audit's rows speak for the keys; where there are none, nothing speaks against them.
    private static func hasMadeAudit(of options: SQLiteDatabase.Options, _ folder: KeyFolder) throws -> Bool {
        let newest = try SQLiteDatabase.newestAudit(options, of: CoreFeature.node, limit: rows)
        let key = AuditRowKey(node: CoreFeature.node, key: folder.derivedKey(.audit))
        return newest.isEmpty || newest.contains { key.hasMade($0) }
    }

    private static let advice =
        "Put the key folder back from the backup of this database, name it in secrets.keyFolder, or, if the keys are "
        + "lost, begin with an empty data folder (docs/guide/run-in-production.md, \"Back up and restore\")."
}
