import Assembly
import Audit
import Storage

/// The outcome of `vestibule storage move`.
struct StorageMoveView: Encodable {
    struct Table: Encodable {
        let name: String
        let rows: Int
    }

    /// The reason why nothing was moved, or why that is not known, for scripts.
    struct Refusal: Encodable {
        /// Absent where the commit's answer was lost: then either all rows were moved or none.
        let isMoved: Bool?
        /// A code that stays.
        let code: String
        let message: String
    }

    let isMoved = true
    /// The path of the SQLite file.
    let source: String
    /// The PostgreSQL database and its servers.
    let target: String
    let rows: Int
    let tables: [Table]
    /// The last row of the audit; 0 for an audit without rows.
    let lastAuditRow: Int64
    /// The number of checkpoints that the audit was compared with.
    let checkpoints: Int

    init(_ moved: StorageMoved, from source: String) {
        self.source = source
        target = moved.rows.database
        rows = moved.rows.rows
        tables = moved.rows.tables.map { Table(name: $0.name, rows: $0.rows) }
        lastAuditRow = moved.audit?.last ?? 0
        checkpoints = moved.audit?.checkpoints ?? 0
    }

    /// The lines for people, with what to do next.
    ///
    /// `url`: the connection string, as it was given.
    ///
    /// `password`: where the password is kept, such as `env:NAME`; `nil` for none.
    func lines(url: String, password: String?) -> [String] {
        let passwordLine = password.map { ["         password: \($0)"] } ?? []
        return [
            "Moved \(rows) row(s) of \(tables.count) tables to the PostgreSQL database \(target).", "", "Next:",
            "  1. Write into the config, in place of file, durability and busyTimeout:",
            "     storage:", "       postgres:", "         url: \"\(url)\"",
        ] + passwordLine + [
            "  2. Start the daemon: vestibule serve",
            "  3. Keep \(source) until PostgreSQL has a backup. Start no daemon on it again: what is signed out or used",
            "     up since then would count there once more.",
        ]
    }
}

extension StorageMoveView.Refusal {
    private init(_ code: StorageMoveError.Code, _ message: String) {
        isMoved = code == .targetUncertain ? nil : false
        self.code = code.rawValue
        self.message = message
    }

    /// Returns `nil` for a fault of the program.
    init?(_ error: any Error) {
        if let error = StorageMoveError(error) {
            self.init(error.code, error.message)
            return
        }
        guard let exit = ExitError(error) else { return nil }
        let code: StorageMoveError.Code = error is UnusableFilesError ? .keyMarkDiffers : .dataFolder
        self.init(code, exit.message)
    }
}
