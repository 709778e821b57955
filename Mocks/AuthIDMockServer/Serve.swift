import ArgumentParser

/// `authid-mock serve`, or `authid-mock` alone.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve until stopped. This is the default subcommand.",
        discussion: """
            A timeline in one of the --scenarios is not played. --script plays one and stops at its end. Its exit code \
            tells a CI job how that went: 0 the script was played to its end, 2 the file cannot be used, 5 the \
            --timeout was reached, 6 the mock or the command ended before the script was over. A command behind -- \
            runs while the mock listens, finds its address in AUTHID_MOCK_URL, and passes on its own exit code when \
            it fails.
            """
    )

    @Option(help: ArgumentHelp("Play the timeline of this scenario file, then stop.", valueName: "file"))
    var script: String?

    @Option(help: ArgumentHelp("Stop after this time, whether the script is over or not.", valueName: "seconds"))
    var timeout: Int?

    @OptionGroup var options: ServeOptions

    @Argument(parsing: .postTerminator, help: "A command to run while the script is played.")
    var command: [String] = []

    func validate() throws {
        guard script != nil || (timeout == nil && command.isEmpty) else {
            throw ValidationError("--timeout and a command behind -- need a --script.")
        }
        if let timeout, !(1...86_400).contains(timeout) {
            throw ValidationError("--timeout must be between 1 and 86400 seconds.")
        }
    }

    func run() async throws {
        guard let script else { return try await options.serve() }
        let limit = timeout.map { Duration.seconds($0) }
        let plan = try PlanFile.readScript(script)
        try await ScriptRun(plan: plan, limit: limit, command: command).run(on: options)
    }
}
