import ArgumentParser
import AsyncHTTPClient
import Foundation

/// `bench-seed codes`: requests of an OAuth client for a load run, with what it takes to make each.
struct SeedCodes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes",
        abstract: "Has authorization codes issued, and writes what a client does with them, one request a line.",
        discussion: """
            A line is the path of the request, a blank and its form. A person opens an account with a passkey, and the \
            browser that is signed in by it asks /oauth/authorize for each code. Nobody is asked anything, which takes \
            a client of the config whose redirect URI is an https one. Codes are good for oauth.codeLifetime, and once.
            """
    )

    /// The kind of output.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        /// Requests for tokens by a code each.
        case codes
        /// Requests for tokens by a refresh token each, of codes that are redeemed first.
        case refreshes
        /// Questions what an access token is worth, of codes that are redeemed first; as often as one likes.
        case introspections
    }

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "Where the page is that the passkey is made on: the origin of the daemon's publicURL.")
    var origin: String
    @Option(name: .customLong("client-id"), help: "The client.") var clientID: String
    @Option(name: .customLong("client-secret"), help: "Its secret, if it has one.") var clientSecret: String?
    @Option(help: "Where its codes go.") var redirect: String
    @Option(help: "The output: codes, refreshes, or introspections.") var kind: Kind
    @Option(help: "How many requests.") var count: Int
    @Option(help: "The file for the requests.") var output: String
    @Option(help: "The name of the account: nobody has it yet.") var name = "bench"
    @Option(help: "Connections at the same time.") var connections = 32

    func validate() throws {
        guard count > 0, connections > 0 else { throw ValidationError("--count and --connections must be above 0.") }
    }

    func run() async throws {
        let server = SeedServer(url: server, connections: connections)
        let party = SeededClient(id: clientID, secret: clientSecret, redirectURI: redirect)
        do {
            let lines = try await server.use { client in
                let browser = try await SeededBrowser.signUp(name, at: origin, server, client)
                return try await server.share(Array(0..<count)) { [kind] _ in
                    let code = try await browser.code(for: party, server, client)
                    return try await Self.line(kind, code, party, server, client)
                }
            }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: output))
        } catch let fault as SeedError {
            FileHandle.standardError.write(Data("bench-seed: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }

    private static func line(
        _ kind: Kind,
        _ code: SeededCode,
        _ party: SeededClient,
        _ server: SeedServer,
        _ client: HTTPClient
    ) async throws -> String {
        let redemption = party.redemption(of: code)
        guard kind != .codes else { return "\(SeededClient.tokenPath) \(redemption)" }
        let answer = try await server.post(SeededClient.tokenPath, form: redemption, client)
        let tokens = try JSONDecoder().decode(SeededTokens.self, from: answer)
        return switch kind {
        case .codes, .refreshes: "\(SeededClient.tokenPath) \(party.refresh(by: tokens.refresh))"
        case .introspections: "\(SeededClient.introspectionPath) \(party.question(about: tokens.access))"
        }
    }
}
