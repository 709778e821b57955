import Kernel
import Storage
import Tokens

/// Rows and keys belong together: keys are made once, before there is a row that needs them, and the database keeps a
/// mark of them.
///
/// A database beside no keys would get new ones, and one beside another server's would take those: its tokens, links and
/// sealed columns would be void, and its audit would look forged, for good where rows were added meanwhile.
enum KeysBesideRows {
    /// Looks before anything is made or changed, in either of them.
    ///
    /// - Throws: ``Exit`` when the key folder holds no root key, and the database rows or a mark; or when its root key is
    ///   not that of the mark.
    static func check(_ settings: Settings, facts: Facts) throws {
        let (folder, options) = (settings.secrets.keyFolder, settings.storage.options)
        let recorded = try SQLiteDatabase.keyMark(options)
        let found = try KeyFolder.databaseMark(
            at: folder,
            facts: facts,
            sealingKeys: settings.secrets.folderSealingKeys
        )
        if let found {
            guard let recorded, !recorded.matches(found) else { return }
            throw Exit.storage(
                "The database \(options.path) belongs to other keys than those in \(folder). With these every token "
                    + "and link would be void and the audit could not be verified again, so nothing was changed. "
                    + advice
            )
        }
        guard try recorded != nil || SQLiteDatabase.holdsRows(options) else { return }
        throw Exit.storage(
            "The database \(options.path) belongs to keys that are gone: there is no \(folder)/root.key. New ones "
                + "would void every token and link and the whole audit, so none were made. " + advice
        )
    }

    private static let advice =
        "Put the key folder back from the backup of this database, or name it in secrets.keyFolder. Where those keys "
        + "are lost, begin with an empty data folder (README, \"Before real people use it\")."
}
