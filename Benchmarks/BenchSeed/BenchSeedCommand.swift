import ArgumentParser
import Foundation

/// `bench-seed`: prepares what a load run needs, through the daemon's own HTTP API.
@main
struct BenchSeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-seed",
        abstract:
            "Prepares load (logins, webhooks, keys, passkeys, OAuth, wallets), plays waiting clients, signs people in, times decoys.",
        subcommands: [
            SeedLogins.self, SeedWebhooks.self, SeedDevices.self, SeedPasskeys.self, SeedCodes.self,
            SeedAssertions.self, SeedWallets.self, ParkWaiters.self, TimeDecoys.self, Soak.self, SignInPeople.self,
        ],
        defaultSubcommand: SeedLogins.self
    )
}

/// `bench-seed logins`, or `bench-seed` alone.
struct SeedLogins: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logins",
        abstract: "Begins many logins at a running daemon and writes the paths to poll them, one a line.",
        discussion: """
            With --open each landing page is asked for its scan as well; an e-mail address that the mock provider \
            accepts (accept@example.com) then leaves logins that are approved and wait for their first poll. With \
            --collect they are polled as well, and what is written is the path of a refresh, and a token for it.
            """
    )

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "The e-mail address that signs in.") var email: String
    @Option(help: "How many logins.") var count: Int
    @Option(help: "The file for the paths.") var output: String
    @Option(help: "Connections at the same time.") var connections = 32
    @Flag(help: "Open each login's landing page, so that its scan starts.") var open = false
    @Flag(help: "Collect the tokens of the logins, which --open has to have opened.") var collect = false

    func validate() throws {
        guard count > 0, connections > 0 else { throw ValidationError("--count and --connections must be above 0.") }
        guard open || !collect else { throw ValidationError("--collect takes --open.") }
    }

    func run() async throws {
        let seeding = Seeding(server: server, email: email, opens: open, connections: connections)
        do {
            let paths = try await collect ? seeding.refreshes(count: count) : seeding.run(count: count).map(\.pollPath)
            try Data((paths.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: output))
        } catch let fault as SeedError {
            FileHandle.standardError.write(Data("bench-seed: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }
}
