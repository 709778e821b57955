import ArgumentParser
import HTTPAPI
import Kernel

/// `vestibule operations`.
struct OperationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operations",
        abstract: "List, show, cancel or follow face logins.",
        discussion: """
            EXAMPLES
              vestibule operations list
              vestibule operations tail
            """,
        subcommands: [List.self, Show.self, Cancel.self, Tail.self]
    )

    /// Which operations.
    struct Selection: ParsableArguments {
        @Option(help: "Those of this account (e-mail address, user name or id).") var account: String?
        @Option(
            name: .customLong("state"),
            help: ArgumentHelp("Those in this state; may be given many times.", valueName: "state")
        )
        var states: [String] = []
        @Option(help: "How many at the most, the newest first.") var limit = 50

        var request: AdminRequest { .listOperations(account: account, states: states, limit: limit) }
    }

    /// `vestibule operations list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List operations, the newest first.",
            discussion: """
                EXAMPLES
                  vestibule operations list --state pending --state approved
                  vestibule operations list --account person@example.com --json
                """
        )

        @OptionGroup var selection: Selection
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .operations(let found) = try await send(selection.request, options) else { return }
                if json { return try Printing.json(found) }
                Printing.table(AdminReply.OperationView.titles, found.map(\.cells))
            }
        }
    }

    /// `vestibule operations show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show one operation: where it stands, why it waits, and what its provider last said.",
            discussion: """
                EXAMPLES
                  vestibule operations show 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11
                """
        )

        @Argument(help: "The operation's row id, as `list` and the log show it.") var row: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .operation(let found) = try await send(.showOperation(row: row), options) else { return }
                if json { return try Printing.json(found) }
                for (title, text) in found.lines { print("\(title): \(text)") }
            }
        }
    }

    /// `vestibule operations cancel`.
    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a login that is under way.",
            discussion: """
                EXAMPLES
                  vestibule operations cancel 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11
                """
        )

        @Argument(help: "The operation's row id.") var row: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .operation(let found) = try await send(.cancelOperation(row: row), options) else { return }
                if json { return try Printing.json(found) }
                print("\(found.row) is \(found.state)\(found.failure.map { " (\($0))" } ?? "").")
            }
        }
    }

    /// `vestibule operations tail`.
    struct Tail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Print operations as they change, until interrupted: once a second, of the newest that --limit says.",
            discussion: """
                EXAMPLES
                  vestibule operations tail
                  vestibule operations tail --account person@example.com --json
                """
        )

        @OptionGroup var selection: Selection
        @Flag(help: "Print a JSON object a line.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                let client = AdminClient(options: options, facts: .system)
                var seen: [String: Int64] = [:]
                while !Task.isCancelled {
                    guard case .operations(let found) = try await client.send(selection.request) else { return }
                    for operation in found.reversed() where seen[operation.row] != operation.seq {
                        try Self.show(operation, json: json)
                    }
                    seen = Dictionary(found.map { ($0.row, $0.seq) }, uniquingKeysWith: { first, _ in first })
                    try await Task.sleep(for: .seconds(1))
                }
            }
        }

        private static func show(_ operation: AdminReply.OperationView, json: Bool) throws {
            if json { return try Printing.jsonLine(operation) }
            StandardOutput.print(operation.cells.joined(separator: "  "))
        }
    }
}
