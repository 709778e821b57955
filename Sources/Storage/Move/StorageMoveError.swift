/// The reason why rows are not moved from SQLite to PostgreSQL, with the remedy.
///
/// Nothing was changed in either database, but for empty tables of the target, unless the code is
/// ``Code/targetUncertain``.
package struct StorageMoveError: Error, Equatable, Sendable {
    /// A code that stays, for scripts.
    package enum Code: String, Sendable, CaseIterable {
        case sourceMissing = "source_missing"
        case sourceUnused = "source_unused"
        case sourceUnreadable = "source_unreadable"
        case sourceSchema = "source_schema"
        case sourceText = "source_text"
        case sourceChanged = "source_changed"
        case keyMarkDiffers = "key_mark_differs"
        case auditUnsound = "audit_unsound"
        case targetUnreachable = "target_unreachable"
        case targetLogin = "target_login"
        case targetUnsuitable = "target_unsuitable"
        case targetRights = "target_rights"
        case targetSchema = "target_schema"
        case targetInUse = "target_in_use"
        case targetNotEmpty = "target_not_empty"
        case targetRefusedRow = "target_refused_row"
        case targetDiffers = "target_differs"
        case targetLost = "target_lost"
        case targetUncertain = "target_uncertain"
        /// The data folder, its lock or its keys can't be used.
        case dataFolder = "data_folder"
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether both databases can be used, and what they hold is the reason.
    package var isRefusal: Bool {
        switch code {
        case .sourceUnused, .sourceText, .sourceChanged, .auditUnsound, .targetNotEmpty, .targetRefusedRow,
            .targetDiffers:
            true
        case .sourceMissing, .sourceUnreadable, .sourceSchema, .keyMarkDiffers, .targetUnreachable, .targetLogin,
            .targetUnsuitable, .targetRights, .targetSchema, .targetInUse, .targetLost, .targetUncertain, .dataFolder:
            false
        }
    }

    /// Translates an error of opening one of the databases; `nil` for a fault of the program.
    package init?(_ error: any Error) {
        switch error {
        case let error as StorageMoveError: self = error
        case let error as StoreOpenError: self.init(error.moveCode, error.message)
        case let error as PostgresOpenError: self.init(error.reason.moveCode, error.message)
        default: return nil
        }
    }
}

extension StoreOpenError {
    fileprivate var moveCode: StorageMoveError.Code {
        switch self {
        case .schema: .sourceSchema
        case .file, .foreignLog, .outdatedSQLite: .sourceUnreadable
        }
    }
}

extension PostgresOpenError.Reason {
    fileprivate var moveCode: StorageMoveError.Code {
        switch self {
        case .address, .unreachable, .unknownDatabase: .targetUnreachable
        case .login, .certificate: .targetLogin
        case .outdated, .encoding, .readOnly, .predicateLocks: .targetUnsuitable
        case .rights: .targetRights
        case .schema: .targetSchema
        case .busy, .claimed, .otherNotices: .targetInUse
        case .uncertain: .targetUncertain
        case .failed: .targetLost
        }
    }
}

/// The errors of the move itself.
extension StorageMoveError {
    static func missing(_ path: String) -> StorageMoveError {
        StorageMoveError(
            .sourceMissing,
            "The SQLite database \(path) does not exist, so that there is nothing to move. Check --data and storage.file."
        )
    }

    /// `found`: The first places, each with its table, column and key.
    ///
    /// `count`: The number of all.
    static func texts(_ path: String, _ found: [String], count: Int) -> StorageMoveError {
        let more = count > found.count ? " and \(count - found.count) more" : ""
        return StorageMoveError(
            .sourceText,
            "PostgreSQL can't hold \(count) text(s) of \(path), which have U+0000 or are not UTF-8, and nothing was copied: "
                + "\(found.joined(separator: "; "))\(more). Correct them there with the daemon stopped, and run the "
                + "command again."
        )
    }

    static func changed(_ path: String, _ table: String) -> StorageMoveError {
        StorageMoveError(
            .sourceChanged,
            "Another program changed \(table) in \(path) during the move, so that nothing was moved. Stop whatever "
                + "writes the file, and run the command again."
        )
    }

    static func notEmpty(_ database: String, _ found: [String]) -> StorageMoveError {
        StorageMoveError(
            .targetNotEmpty,
            "The PostgreSQL database \(database) already holds rows, so that nothing was moved: "
                + "\(found.joined(separator: ", ")). An interrupted move leaves none: they are of a move that ended, or of "
                + "another server. Name an empty database with --to."
        )
    }

    static func otherKeys(_ database: String) -> StorageMoveError {
        StorageMoveError(
            .keyMarkDiffers,
            "The PostgreSQL database \(database) belongs to another key folder than the SQLite database, so that nothing "
                + "was moved. Name an empty database with --to."
        )
    }

    static func refused(_ database: String, _ table: String, cause: String) -> StorageMoveError {
        StorageMoveError(
            .targetRefusedRow,
            "The PostgreSQL database \(database) refuses a row of \(table), so that nothing was moved: \(cause). The SQLite "
                + "database was changed behind the daemon's back: correct the row there, or restore a backup."
        )
    }

    static func differs(_ database: String, _ table: String) -> StorageMoveError {
        StorageMoveError(
            .targetDiffers,
            "The rows of \(table) in the PostgreSQL database \(database) were not those of the SQLite database, so that "
                + "nothing was moved. Look for triggers and rules there, and run the command again."
        )
    }

    static func unreadable(_ database: String, cause: String) -> StorageMoveError {
        StorageMoveError(
            .targetDiffers,
            "A row in the PostgreSQL database \(database) can't be read as it was written, so that nothing was moved: "
                + "\(cause). Look for triggers and rules there, and run the command again."
        )
    }

    static func unverified(_ database: String, cause: String) -> StorageMoveError {
        StorageMoveError(
            .auditUnsound,
            "The audit of the database \(database) can't be verified, so that nothing was moved: \(cause). Run "
                + "`vestibule audit verify` on the SQLite database."
        )
    }

    static func lost(_ database: String, cause: String) -> StorageMoveError {
        StorageMoveError(
            .targetLost,
            "The PostgreSQL database \(database) ended the move before its commit, so that nothing was moved: \(cause). "
                + "Run the command again."
        )
    }

    static func uncertain(_ database: String, cause: String) -> StorageMoveError {
        StorageMoveError(
            .targetUncertain,
            "The connection to the PostgreSQL database \(database) ended during the commit, so that either all rows were "
                + "moved or none: \(cause). Run the command again: if it finds rows there, all were."
        )
    }
}
