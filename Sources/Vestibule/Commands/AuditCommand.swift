import ArgumentParser
import FoundationEssentials
import HTTPAPI

/// `vestibule audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check the audit, list its rows, make a checkpoint.",
        discussion: """
            EXAMPLES
              vestibule audit verify
              vestibule audit list --limit 20
            """,
        subcommands: [Verify.self, List.self, Checkpoint.self, Key.self]
    )

    /// `vestibule audit verify`.
    struct Verify: AsyncParsableCommand {
        /// What fits into a request to the daemon; the newest checkpoints are what counts.
        private static let copyLimit = 12 * 1024 * 1024

        static let configuration = CommandConfiguration(
            abstract: "Check that no row was changed, dropped, slipped in or cut off.",
            discussion: """
                Walks the whole chain and holds it against the signed checkpoints. A copy of the checkpoints that was \
                kept elsewhere also shows whether the audit was brought back to an earlier state together with its own \
                checkpoints. Exit code 0 when the audit is sound, 1 when it is not.

                EXAMPLES
                  vestibule audit verify
                  vestibule audit verify --checkpoints /mnt/elsewhere/checkpoints.jws --json
                """
        )

        @Option(help: "A copy of the checkpoints that was kept elsewhere; by default the server's own.")
        var checkpoints: String?
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                let request = AdminRequest.verifyAudit(checkpoints: try checkpoints.map(Self.lines))
                guard case .audit(let found) = try await send(request, options) else { return }
                if json { try Printing.json(found) } else { found.summary.forEach { print($0) } }
                if !found.isSound { throw Exit.refused(found.message) }
            }
        }

        /// The lines of a copy, its newest if it is very long.
        private static func lines(_ file: String) throws -> [String] {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
                throw Exit.storage("The checkpoints \(file) can't be read.")
            }
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            guard !lines.isEmpty else { throw Exit.refused("There are no checkpoints in \(file).") }
            var size = 0
            return lines.reversed().prefix { line in
                size += line.utf8.count + 4
                return size <= copyLimit
            }.reversed()
        }
    }

    /// `vestibule audit list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List rows of the audit, the newest first.",
            discussion: """
                EXAMPLES
                  vestibule audit list
                  vestibule audit list --limit 1000 --json
                """
        )

        @Option(help: "How many at the most.") var limit = 50
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .auditRows(let rows) = try await send(.listAudit(limit: limit), options) else { return }
                if json { return try Printing.json(rows) }
                Printing.table(AdminReply.AuditRowView.titles, rows.map(\.cells))
            }
        }
    }

    /// `vestibule audit checkpoint`.
    struct Checkpoint: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign where the audit ends now, and print that checkpoint.",
            discussion: """
                Keep what it prints where nobody who can write the data folder can. With --anew the checkpoints of \
                before are given up, which is put on record: only where their file is gone for good, or was moved away.

                EXAMPLES
                  vestibule audit checkpoint
                  vestibule audit checkpoint --anew
                  vestibule audit checkpoint --json
                """
        )

        @Flag(help: "Begin the checkpoints anew: those of before are gone.") var anew = false
        @Flag(help: "Print JSON, with the checkpoint as its one member.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .text(let line) = try await send(.checkpointAudit(isAnew: anew), options) else { return }
                if json { return try Printing.json(["checkpoint": line]) }
                print(line)
            }
        }
    }

    /// `vestibule audit key`.
    struct Key: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the public key of the checkpoints (a JWK).",
            discussion: """
                EXAMPLES
                  vestibule audit key
                """
        )

        @Flag(help: "Print JSON (the default is JSON too: a JWK).") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .text(let key) = try await send(.auditKey, options) else { return }
                print(key)
            }
        }
    }
}

extension AdminReply.AuditView {
    /// For people; what is wrong goes to standard error.
    var summary: [String] {
        let rows = lastRow == 0 ? "no rows" : "rows \(firstRow) to \(lastRow)"
        guard let newestCheckpoint else { return ["\(rows), no checkpoint"] + (isSound ? [message] : []) }
        let newest = "newest checkpoint at row \(newestCheckpoint), \(Printing.time(newestCheckpointAt))"
        let lines = ["\(rows), \(checkpoints) checkpoint(s), \(newest), \(uncoveredRows) row(s) behind it"]
        return lines + (isSound ? [message] : [])
    }
}

extension AdminReply.AuditRowView {
    static let titles = ["ROW", "TIME", "FACT", "SUBJECT", "DETAIL"]

    var cells: [String] { [String(number), Printing.time(at), fact, subject, detail ?? "-"] }
}
