import ArgumentParser

/// `authid-mock serve`, or `authid-mock` alone.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve until stopped; what happens without a subcommand.",
        discussion: "A timeline in one of the scenario files is not played; `authid-mock play` does that."
    )

    @OptionGroup var options: ServeOptions

    func run() async throws { try await options.serve() }
}
