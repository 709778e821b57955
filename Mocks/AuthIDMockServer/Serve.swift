import ArgumentParser

/// `authid-mock serve`, or `authid-mock` alone.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve until stopped. This is the default subcommand.",
        discussion: "A timeline in one of the scenario files is not played. `authid-mock play` plays it."
    )

    @OptionGroup var options: ServeOptions

    func run() async throws { try await options.serve() }
}
