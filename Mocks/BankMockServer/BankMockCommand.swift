import ArgumentParser
import BankMock
import Hummingbird
import MockPrograms
import MockServing

/// `bank-mock`: a bank that lets a wallet see its customers' cards, on one port.
@main
struct BankMockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bank-mock",
        abstract: "Plays a bank that lets a wallet see the cards of its customers.",
        discussion: """
            GET /authorize shows a page to pick a customer (alice, bob, many, nocards) or to cancel. POST /token trades \
            codes and single-use refresh tokens, GET /cards lists the customer's cards. A code challenge by S256 is \
            required.

            Examples:
              bank-mock \\
                --redirect-uri http://localhost:8080/api/enrollment/callback/td-bsim

            Control it while it runs, with M=http://127.0.0.1:8096/_mock:
              curl $M/faults -X PUT -d '{"target":"cards","fault":"down"}'
              curl $M/requests
            """
    )

    enum Defaults: MockDefaults {
        static let port = 8096
        static let clientID = "vestibule"
        static let clientSecret = "mock-bank-secret"
        static let aboutSecret = "Its secret. An empty text means no secret."
    }

    @OptionGroup var listen: ListenOptions<Defaults>

    @Option(help: "Its name on its page.")
    var name = "Mock Bank"

    @OptionGroup var client: ClientOptions<Defaults>

    func run() async throws {
        var configuration = BankMockConfiguration()
        configuration.name = name
        client.apply(to: &configuration.authorization)
        if client.clientSecret.isEmpty { configuration.authorization.clientSecret = nil }
        let application = makeBankMock(
            backend: SharedState(BankMockState(configuration), inputs: .live),
            listening: listen.listening(as: "bank-mock")
        )
        try await application.runService()
    }
}
