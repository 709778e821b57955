import Admin
import ArgumentParser
import Assembly
import FoundationEssentials
import Kernel
import Settings
import Storage

/// `vestibule storage`.
struct StorageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "storage",
        "Move the rows from SQLite to PostgreSQL.",
        examples: [
            "vestibule storage move --data /var/lib/vestibule \\",
            "  --to 'postgresql:///vestibule?host=/run/postgresql'",
        ],
        subcommands: [Move.self]
    )

    /// `vestibule storage move`.
    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "move",
            "Move all rows of the SQLite database to an empty PostgreSQL database.",
            about: """
                Needs the daemon stopped. Makes the tables, copies every row in one transaction, and compares the number \
                and the digest of each table's rows, the mark of the keys and the audit with its checkpoints before the \
                commit: an interrupted move leaves no row, and can be run again. The SQLite file is only read, and is \
                not deleted. The keys, the checkpoints and the sockets stay in the data folder. Rows are not moved from \
                PostgreSQL to SQLite.

                The password comes from storage.postgres.password (env:NAME or file:PATH) or --password-file, never from \
                the URL. Afterwards the command says what to write into the config.

                Exit codes: 0 moved, 1 refused (with the reason), 74 the data folder, the file or the server cannot be \
                used, 78 a fault in the config. With --json a refusal has a code.
                """,
            examples: [
                "vestibule storage move --config /etc/vestibule/vestibule.yaml \\",
                "  --data /var/lib/vestibule \\",
                "  --to 'postgresql:///vestibule?host=/run/postgresql'",
                "vestibule storage move --to postgres://vestibule@db.example.com/vestibule \\",
                "  --password-file /etc/vestibule/db-password --json",
            ]
        )

        @Option(
            help: ArgumentHelp(
                "The connection string of the empty PostgreSQL database, without a password.",
                valueName: "url"
            )
        )
        var to: String
        @Option(
            help: ArgumentHelp(
                "The file of its password.",
                discussion: "Default: storage.postgres.password.",
                valueName: "file"
            )
        )
        var passwordFile: String?
        @Flag(help: "Print JSON, and progress to standard error.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await ExitError.guarding {
                let loaded = try target.load()
                guard let postgres = loaded.settings.storage.postgres else { throw ExitError.usage("Give --to.") }
                let moved: StorageMoved
                do { moved = try await move(loaded.settings, to: postgres) } catch {
                    guard let reason = StorageMoveView.Refusal(error) else { throw error }
                    if json { StandardOutput.print(try Rendering.json(reason)) }
                    throw error
                }
                let view = StorageMoveView(moved, from: loaded.settings.storage.sqlite.path)
                if json { return StandardOutput.print(try Rendering.json(view)) }
                let password = loaded.secretReferences["storage.postgres.password"]
                for line in view.lines(url: to, password: password) { StandardOutput.print(line) }
            }
        }

        /// The options with the PostgreSQL database over what the config says, so that it is checked as the config is.
        private var target: SettingsOptions {
            var target = options
            target.overrides.append("storage.postgres.url=\(to)")
            if let passwordFile {
                target.overrides.append("storage.postgres.password=file:\(Self.absolute(passwordFile))")
            }
            return target
        }

        private func move(_ settings: Settings, to postgres: PostgresOptions) async throws -> StorageMoved {
            guard !DataFolder.isMissing(settings.dataFolder) else {
                throw DataFolder.FolderError.missing(path: settings.dataFolder)
            }
            let lock = try DataFolder.open(settings.dataFolder).lock()
            defer { withExtendedLifetime(lock) {} }
            try SocketFile(path: settings.adminSocket).refuseIfListened()
            let tell = { (line: String) in json ? StandardError.print(line) : StandardOutput.print(line) }
            return try await Composition.move(settings, to: postgres, environment: .system) { progress in
                if let line = progress.line { tell(line) }
            }
        }

        private static func absolute(_ path: String) -> String {
            path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        }
    }
}

extension MoveProgress {
    /// A table with fewer rows is soon read.
    private static let large = 100_000

    /// The line for people; `nil` for a step that is soon over.
    fileprivate var line: String? {
        switch self {
        case .read(let table, let rows): rows < Self.large ? nil : "  \(table): \(rows) row(s) read"
        case .counted(let tables, let rows): "Read \(rows) row(s) of \(tables) tables. Copying:"
        case .copying(let table, let rows, let all): "  \(table): \(rows) of \(all)"
        case .copied(let table, let rows): "  \(table): \(rows) row(s)"
        case .compared(let table, let rows): rows < Self.large ? nil : "  \(table): \(rows) row(s) compared"
        case .verified: "Compared: each table has the same rows, the mark of the keys is the same, the audit is sound."
        }
    }
}
