import Storage
import Tokens

/// Rows and keys belong together: keys are made once, before there is a row that needs them.
///
/// A database that was put back without its keys would get new ones: its tokens, links and sealed columns would be void, and
/// its audit would look forged from the first row on.
enum KeysBesideRows {
    /// - Throws: ``Exit`` when the database holds rows and the key folder no root key. Nothing was made by then.
    static func check(_ settings: Settings) throws {
        let folder = settings.secrets.keyFolder
        guard try !KeyFolder.holdsRoot(at: folder), try SQLiteDatabase.holdsRows(settings.storage.options) else {
            return
        }
        throw Exit.storage(
            "The database \(settings.storage.file) holds rows, but the keys that belong to them are gone: there is no "
                + "\(folder)/root.key. New ones would void every token and link and the whole audit, so none were made. "
                + "Put the key folder back from the backup of this database (README, \"Before real people use it\"), "
                + "or name it in secrets.keyFolder."
        )
    }
}
