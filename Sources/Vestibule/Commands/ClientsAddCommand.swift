import ArgumentParser
import HTTPAPI
import Settings

/// `vestibule clients add`.
struct ClientsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a client; its secret, if it has one, is shown this once.",
        discussion: """
            An app on a phone or in a browser can't keep a secret: leave --auth at none. A server takes --auth secret, or \
            --auth private-key-jwt with the file of its public keys.

            EXAMPLES
              vestibule clients add --name App --redirect-uri com.example.app:/done
              vestibule clients add --id backend --auth secret --json \\
                --redirect-uri https://app.example.com/done
              vestibule clients add --id bank --grant ciba --delivery poll \\
                --auth private-key-jwt --keys bank.jwks.json
            """
    )

    @Option(help: "Its id: a-z, 0-9, - and _; made up if there is none.") var id: String?
    @Option(help: "What people are shown; by default the id.") var name: String?
    @Option(name: .customLong("redirect-uri"), help: "Where codes go; may be given many times.")
    var redirectURIs: [String] = []
    @Option(
        name: .customLong("post-logout-redirect-uri"),
        help: "Where a browser may go once it is signed out; may be given many times."
    )
    var postLogoutRedirectURIs: [String] = []
    @Option(
        name: .customLong("grant"),
        help: """
            What it may ask with: authorization_code, refresh_token, ciba, device_code; may be given many times. By \
            default the first two.
            """
    )
    var grants: [String] = []
    @Option(help: "How it shows that it is itself: none, secret, private-key-jwt.") var auth = "none"
    @Option(help: "The file of its public keys, a JWK set.") var keys: String?
    @Option(
        name: .customLong("scope"),
        help: "What it may ask for; may be given many times; by default openid, profile, email, offline_access."
    )
    var scopes: [String] = []
    @Option(
        name: .customLong("resource"),
        help: "An API that it may ask for tokens for (RFC 8707); may be given many times."
    )
    var resources: [String] = []
    @Flag(help: "Its requests have to be pushed first (RFC 9126).") var requirePushedRequests = false
    @Flag(name: .customLong("require-dpop"), help: "Its tokens have to be bound to a key (RFC 9449).")
    var requireDPoP = false
    @Option(
        help: """
            What a person has to have proved: any, face-or-passkey, face, passkey, face-and-passkey. By default \
            face-or-passkey.
            """
    )
    var requires: String?
    @Option(help: "How CIBA delivers: poll, ping, push.") var delivery: String?
    @Option(help: "Where pings and pushes of CIBA go: https; in laptop mode also http on this machine.")
    var notificationEndpoint: String?
    @Option(
        name: .customLong("id-token-alg"),
        help: "What its id tokens are signed with: RS256, or what access tokens are signed with; by default the latter."
    )
    var idTokenAlgorithm: String?
    @Option(
        name: .customLong("id-token-claim"),
        help: "What its id tokens say of the person: name, preferred_username, email; may be given many times."
    )
    var idTokenClaims: [String] = []
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await Exit.guarding {
            var order = AdminRequest.ClientOrder()
            order.id = id
            order.name = name
            order.redirectURIs = redirectURIs
            order.postLogoutRedirectURIs = postLogoutRedirectURIs
            order.grants = grants.isEmpty ? ["authorization_code", "refresh_token"] : grants
            order.authentication = auth
            order.keys = try keys.map(Self.text(of:))
            order.scopes = scopes.isEmpty ? nil : scopes
            order.resources = resources
            order.requiresPushedRequests = requirePushedRequests
            order.requiresDPoP = requireDPoP
            order.requires = requires
            order.delivery = delivery
            order.notificationEndpoint = notificationEndpoint
            order.idTokenAlgorithm = idTokenAlgorithm
            order.idTokenClaims = idTokenClaims
            guard case .clientSecret(let issued) = try await send(.addClient(order), options) else { return }
            if json { return try Printing.json(issued) }
            print("client \(issued.client.id)")
            if let secret = issued.secret { print("secret \(secret)") }
        }
    }

    /// A file beside the command: the daemon may run elsewhere, and as somebody else.
    private static func text(of path: String) throws -> String {
        switch SettingsFiles.disk.read(path) {
        case .missing: throw Exit.storage("There is no file \(path).")
        case .unreadable(let why): throw Exit.storage("\(path) \(why).")
        case .text(let text, _): return text
        }
    }
}
