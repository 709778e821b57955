import Admin
import ArgumentParser
import FoundationEssentials
import Kernel
import Settings

/// `vestibule init`: the config, the sealing key and the folders of a new installation.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Set up an installation: write a config, a sealing key and a data folder.",
        discussion: """
            Asks for missing answers, unless --yes is given or standard input is not a terminal. Secrets are typed without being \
            shown, or come from files (mode 600), never from an option. The config is checked as by `config check` before \
            anything is written, and existing files are not overwritten. Run it as the daemon's user. If root runs it, the \
            files are given to the owner of an existing data folder.

            Exit codes: 0 written, 64 an answer is missing, 73 a file exists already, 74 a file cannot be written, 78 a fault \
            in the answers.

            EXAMPLES
              vestibule init
              vestibule init --yes --public-url https://login.example.com \\
                --mail-server smtp.example.com --mail-from no-reply@example.com \\
                --provider-id-file /etc/vestibule/secrets/id \\
                --provider-key-file /etc/vestibule/secrets/key
              vestibule init --public-url https://login.example.com --no-mail \\
                --provider /etc/vestibule/providers/veriff.yaml --json \\
                --database-url 'postgres:///vestibule?host=/run/postgresql'
            """
    )

    @OptionGroup var setup: SetupOptions
    @Flag(name: .long, help: "Ask no questions, and use the defaults.") var yes = false
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        try await ExitError.guarding {
            let folder = FileManager.default.currentDirectoryPath
            let isAsking = !yes && Terminal.isThere && !setup.missing.isEmpty
            let answers =
                try isAsking
                ? setup.answers(workingFolder: folder, asking: .own) : setup.answers(workingFolder: folder)
            let sealingKey = Secret(Data(Environment.system.randomBytes(32)).base64EncodedString())
            let plan = SetupPlan(answers, sealingKey: sealingKey)
            // Comes before the check, which would report on the files of an existing installation instead.
            guard plan.existing.isEmpty else { return try plan.carryOut() }
            let warnings = try Self.check(plan, workingFolder: folder)
            try plan.carryOut()
            let report = Report(plan, warnings: warnings)
            for line in json ? [try Rendering.json(report)] : report.lines { print(line) }
        }
    }

    private static func check(_ plan: SetupPlan, workingFolder: String) throws -> [String] {
        do throws(SettingsErrors) {
            let loaded = try plan.check(environment: SettingsOptions.ownEnvironment, workingFolder: workingFolder)
            return loaded.warnings.map(\.description)
        } catch { throw ExitError.config("\(error.description)\nNothing was written.") }
    }

    /// The files that were created, and the next commands.
    struct Report: Encodable, Equatable {
        let config: String
        let dataFolder: String
        let files: [String]
        let warnings: [String]
        let next: [String]

        init(_ plan: SetupPlan, warnings: [String]) {
            config = plan.answers.configFile
            dataFolder = plan.answers.dataFolder
            files = plan.files.map(\.path)
            next = plan.nextCommands
            self.warnings = warnings
        }

        var lines: [String] {
            let key = files.first { $0.hasSuffix("/sealing-key") }
            return files.map { "Wrote \($0)." } + ["Made \(dataFolder).", "The config is valid."]
                + warnings.map { "warning: \($0)" }
                + (key.map { ["Keep a copy of \($0), apart from backups of \(dataFolder)."] } ?? [])
                + ["", "Next:"] + next.map { "  \($0)" }
        }
    }
}
