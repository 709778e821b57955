import ArgumentParser
import AsyncHTTPClient
import Foundation

/// `bench-seed wallets`: wallets with a bank's cards, and what their apps ask in a load run, so that the load signs nothing.
struct SeedWallets: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallets",
        abstract: "Brings a bank's cards into wallets, and writes what their apps ask, one request a line.",
        discussion: """
            A line is the path of the request, a blank and an access token; of a confirmation of a payment, a blank and its \
            JSON besides. Each payment was begun before, and signed by the key of the phone that the session is on; it is \
            confirmed once, within wallet.payments.lifetime.

            The owners sign in by scans; their addresses have to be such as the mock provider accepts \
            (accept+1@example.com). The bank is bank-mock, under any id of the config, and has to know the daemon's callback.
            """
    )

    /// The kind of output.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        /// One request for the summary of each wallet, as often as one likes.
        case summaries
        /// Confirmations, each once; every owner has as many as every other, give or take one.
        case confirmations
    }

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "A file with the e-mail addresses of the wallets' owners, one a line.") var owners: String
    @Option(help: "The client that they sign in with. It may have to let anyone start its logins.")
    var clientID = "mwsim"
    @Option(help: "The bank's id in the config.") var bank: String
    @Option(help: "Whose cards they are, at the bank.") var customer: String
    @Option(help: "The output: summaries or confirmations.") var kind: Kind
    @Option(help: "How many payments. Of summaries, each owner has one.") var count = 0
    @Option(help: "The file for the requests.") var output: String
    @Option(help: "Connections at the same time.") var connections = 32

    func validate() throws {
        guard connections > 0 else { throw ValidationError("--connections must be above 0.") }
        guard kind == .summaries || count > 0 else { throw ValidationError("--count must be above 0.") }
    }

    func run() async throws {
        let server = SeedServer(url: server, connections: connections)
        let owners = try String(contentsOfFile: owners, encoding: .utf8).split(separator: "\n").map(String.init)
        guard !owners.isEmpty else { throw ValidationError("--owners has nobody.") }
        do {
            let lines = try await server.use { client in
                let tokens = try await server.signIn(owners, clientID, client)
                let wallets = try await server.share(tokens) { [bank, customer] token in
                    let wallet = try await SeededWallet.setUp(token, server, client)
                    try await wallet.enrol(at: bank, as: customer, server, client)
                    return wallet
                }
                guard kind == .confirmations else { return wallets.map(\.summary) }
                return try await server.share(Array(0..<count)) { number in
                    try await wallets[number % wallets.count].confirmation(server, client)
                }
            }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: output))
        } catch let fault as SeedError {
            FileHandle.standardError.write(Data("bench-seed: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }
}
