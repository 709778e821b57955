import ArgumentParser

/// `vestibule config running`: the settings of the daemon that is asked, each with its source.
struct ListSettings: CommandLineCommand {
    static let name = "listSettings"
    static let replyName = "settings"
    static let effect = CommandEffect.reads
    static var needsDaemon: Bool { true }

    func handle(_ services: AdminServices) async throws -> [SettingView] { services.daemon.settings() }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "running",
            "List the settings of the running daemon, each with its source.",
            about: """
                Secrets are not shown: one that is kept elsewhere shows as env:NAME or file:PATH, one in plain text as \
                <secret>. The daemon reads its config when it starts, and may differ from the file.
                """,
            examples: ["vestibule config running", "vestibule config running --json"]
        )

        func command(_ input: CommandInput) -> any AdminCommand<[SettingView]> { ListSettings() }
    }
}

/// A setting in force.
package struct SettingView: Codable, Sendable, Equatable, TableRow {
    let key: String
    let value: String
    /// The file and line, the variable or the option that it is from.
    let source: String

    package init(key: String, value: String, source: String) {
        self.key = key
        self.value = value
        self.source = source
    }

    package static let titles = ["KEY", "VALUE", "SOURCE"]

    package var cells: [String] { [key, value, source] }
}
