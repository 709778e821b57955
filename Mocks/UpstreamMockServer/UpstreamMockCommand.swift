import ArgumentParser
import Hummingbird
import MockPrograms
import MockServing
import UpstreamMock

/// `upstream-mock`: an authorization server that wants a secret, and what lies behind it, on one port.
@main
struct UpstreamMockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upstream-mock",
        abstract: "Plays an authorization server that requires a client secret, its directory, and a server with data.",
        discussion: """
            GET /authorize shows a sign-in form (ada@example.com, ada-password). POST /token trades codes and \
            single-use refresh tokens, GET /UCP_SCIF_XML/UserManagement/GetPersonalInformation returns the token's person \
            (XML), GET /esb/people/ID/data has the data. ben@example.com may not see it, cleo@example.com is closed.

            Examples:
              upstream-mock --redirect-uri http://localhost:8080/oauth/upstream/callback

            Control it while it runs, with M=http://127.0.0.1:8095/_mock:
              curl $M/faults -X PUT -d '{"target":"lookup","fault":"slow","ms":3000}'
              curl $M/requests
            """
    )

    enum Defaults: MockDefaults {
        static let port = 8095
        static let clientID = "mock-client"
        static let clientSecret = "mock-client-secret"
        static let aboutSecret = "Its secret."
    }

    @OptionGroup var listen: ListenOptions<Defaults>

    @OptionGroup var client: ClientOptions<Defaults>

    @Flag(inversion: .prefixedNo, help: "Bind codes to a verifier when a challenge was sent.")
    var pkce = true

    func run() async throws {
        var configuration = UpstreamMockConfiguration()
        client.apply(to: &configuration.authorization)
        configuration.authorization.takesCodeChallenge = pkce
        let application = makeUpstreamMock(
            backend: SharedState(UpstreamMockState(configuration), inputs: .live),
            listening: listen.listening(as: "upstream-mock")
        )
        try await application.runService()
    }
}
