import ArgumentParser
import BankMock
import Foundation
import Hummingbird
import Kernel
import Logging
import MockServing
import NIOCore

/// `bank-mock`: a bank that lets a wallet see its customers' cards, on one port.
@main
struct BankMockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bank-mock",
        abstract: "Plays a bank that lets a wallet see the cards of its customers.",
        discussion: """
            GET /authorize shows a page to pick a customer (alice, bob, many, nocards) or to cancel, POST /token trades \
            codes and single-use refresh tokens, GET /cards lists the customer's cards. A code challenge by S256 has to \
            be there.

            Examples:
              bank-mock \\
                --redirect-uri http://localhost:8080/api/enrollment/callback/td-bsim

            Steering it while it runs, with M=http://127.0.0.1:8096/_mock:
              curl $M/faults -X PUT -d '{"target":"cards","fault":"down"}'
              curl $M/requests
            """
    )

    @Option(help: "The address to listen on, of this machine alone.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 picks a free one.")
    var port = 8096

    @Option(help: "What its page calls it.")
    var name = "Mock Bank"

    @Option(help: "The id of the one client.")
    var clientId = "vestibule"

    @Option(help: "Its secret; an empty one is none.")
    var clientSecret = "mock-bank-secret"

    @Option(help: ArgumentHelp("Where browsers may be sent back to. May be given several times.", valueName: "uri"))
    var redirectUri: [String] = []

    @Option(help: "How many seconds an access token is good.")
    var accessSeconds = 600

    @Option(help: "What it calls itself in its answers (iss); by default it does not.")
    var issuer: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be between 0 and 65535.") }
        guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
            throw ValidationError("This test tool lets anybody in, and listens on 127.0.0.1, ::1 or localhost alone.")
        }
        guard (1...86_400).contains(accessSeconds) else {
            throw ValidationError("--access-seconds must be between 1 and 86400.")
        }
    }

    func run() async throws {
        var configuration = BankMockConfiguration()
        configuration.name = name
        configuration.clientID = clientId
        configuration.clientSecret = clientSecret.isEmpty ? nil : Secret(clientSecret)
        configuration.redirectURIs = Set(redirectUri)
        configuration.accessTokenLifetime = .seconds(accessSeconds)
        configuration.issuer = issuer
        var logger = Logger(label: "bank-mock", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        let (host, port) = (host, port)
        let application = makeBankMock(
            backend: BankMockBackend(configuration: configuration, inputs: .live),
            host: host,
            port: port,
            logger: logger
        ) { channel in
            let line = "bank-mock listening on http://\(host):\(channel.localAddress?.port ?? port)\n"
            // Unbuffered: whoever reads a pipe sees the line at once.
            FileHandle.standardOutput.write(Data(line.utf8))
        }
        try await application.runService()
    }
}
