import Admin
import ArgumentParser
import Kernel

/// `vestibule operations`.
struct OperationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "operations",
        "List, show, cancel or follow face logins.",
        examples: ["vestibule operations list", "vestibule operations tail"],
        subcommands: AdminTable.operations.commandLine + [Tail.self]
    )

    /// `vestibule operations tail`.
    struct Tail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "tail",
            "Print changes of operations once a second until interrupted, among the newest up to --limit.",
            examples: ["vestibule operations tail", "vestibule operations tail --account person@example.com --json"]
        )

        @OptionGroup var arguments: ListOperations.Arguments
        @Flag(help: "Print a JSON object a line.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await ExitError.guarding {
                let client = AdminClient(options: options, environment: .system)
                var seen: [String: Int64] = [:]
                while !Task.isCancelled {
                    let found = try await client.send(arguments.command(.ownProcess))
                    for operation in found.reversed() where seen[operation.row] != operation.seq {
                        try Self.show(operation, json: json)
                    }
                    seen = Dictionary(found.map { ($0.row, $0.seq) }, uniquingKeysWith: { first, _ in first })
                    try await Task.sleep(for: .seconds(1))
                }
            }
        }

        private static func show(_ operation: OperationView, json: Bool) throws {
            StandardOutput.print(
                json ? try Rendering.json(operation, onOneLine: true) : operation.cells.joined(separator: "  ")
            )
        }
    }
}
