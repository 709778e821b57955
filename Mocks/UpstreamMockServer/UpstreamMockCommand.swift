import ArgumentParser
import Foundation
import Hummingbird
import Kernel
import Logging
import MockServing
import NIOCore
import UpstreamMock

/// `upstream-mock`: an authorization server that wants a secret, and what lies behind it, on one port.
@main
struct UpstreamMockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upstream-mock",
        abstract: "Plays an authorization server that wants a client secret, its directory, and a server with data.",
        discussion: """
            GET /authorize shows a sign-in form (ada@example.com, ada-password), POST /token trades codes and \
            single-use refresh tokens, GET /UCP_SCIF_XML/UserManagement/GetPersonalInformation tells whose token it is \
            (XML), GET /esb/people/ID/data has the data. ben@example.com may not see it, cleo@example.com is closed.

            Examples:
              upstream-mock --redirect-uri http://localhost:8080/oauth/upstream/callback

            Steering it while it runs, with M=http://127.0.0.1:8095/_mock:
              curl $M/faults -X PUT -d '{"target":"lookup","fault":"slow","ms":3000}'
              curl $M/requests
            """
    )

    @Option(help: "The address to listen on, of this machine alone.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 picks a free one.")
    var port = 8095

    @Option(help: "The id of the one client.")
    var clientId = "mock-client"

    @Option(help: "Its secret.")
    var clientSecret = "mock-client-secret"

    @Option(help: ArgumentHelp("Where browsers may be sent back to. May be given several times.", valueName: "uri"))
    var redirectUri: [String] = []

    @Option(help: "How many seconds an access token is good.")
    var accessSeconds = 600

    @Option(help: "What it calls itself in its answers (iss); by default it does not.")
    var issuer: String?

    @Flag(inversion: .prefixedNo, help: "Bind codes to a verifier where a challenge came.")
    var pkce = true

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
        var configuration = UpstreamMockConfiguration()
        configuration.clientID = clientId
        configuration.clientSecret = Secret(clientSecret)
        configuration.redirectURIs = Set(redirectUri)
        configuration.accessTokenLifetime = .seconds(accessSeconds)
        configuration.issuer = issuer
        configuration.takesCodeChallenge = pkce
        var logger = Logger(label: "upstream-mock", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        let (host, port) = (host, port)
        let application = makeUpstreamMock(
            backend: UpstreamMockBackend(configuration: configuration, inputs: .live),
            host: host,
            port: port,
            logger: logger
        ) { channel in
            let line = "upstream-mock listening on http://\(host):\(channel.localAddress?.port ?? port)\n"
            // Unbuffered: whoever reads a pipe sees the line at once.
            FileHandle.standardOutput.write(Data(line.utf8))
        }
        try await application.runService()
    }
}
