import ArgumentParser
import Kernel
import OAuth

/// `vestibule clients add`: adds a client, whose secret is in the reply and nowhere else.
struct AddClient: CommandLineCommand {
    static let name = "addClient"
    static let replyName = "clientSecret"

    var metadata: Metadata

    /// The client as the operator describes it, in the names of RFC 7591 §2, as texts that the daemon checks.
    struct Metadata: Codable, Sendable {
        /// `nil` lets the daemon make one.
        var id: String?
        var name: String?
        var redirectURIs: [String] = []
        var postLogoutRedirectURIs: [String] = []
        /// The short names of the config: `authorization_code`, `refresh_token`, `ciba`, `device_code`.
        var grants: [String] = []
        /// `none`, `secret` or `private-key-jwt`.
        var authentication = "none"
        /// A JWK set.
        var keys: String?
        var scopes: [String]?
        var resources: [String] = []
        var requiresPushedRequests = false
        var requiresDPoP = false
        /// The proof that a person has to give; `nil` for those that the sign-in page offers.
        var requires: String?
        /// `poll`, `ping` or `push`.
        var delivery: String?
        var notificationEndpoint: String?
        /// A value of `id_token_signed_response_alg`.
        var idTokenAlgorithm: String?
        var idTokenClaims: [String] = []
    }

    private enum CodingKeys: String, CodingKey { case metadata = "_0" }

    func handle(_ services: AdminServices) async throws -> ClientSecretView {
        ClientSecretView(try await services.clients.service.add(try ClientMetadata(metadata), id: metadata.id))
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a client, and show its secret, if it has one, only this once.",
            discussion: """
                An app on a phone or in a browser cannot keep a secret: leave --auth at none. A server takes --auth secret, or \
                --auth private-key-jwt with the file of its public keys.

                EXAMPLES
                  vestibule clients add --name App --redirect-uri com.example.app:/done
                  vestibule clients add --id backend --auth secret --json \\
                    --redirect-uri https://app.example.com/done
                  vestibule clients add --id bank --grant ciba --delivery poll \\
                    --auth private-key-jwt --keys bank.jwks.json
                """
        )

        @Option(help: "Its id of a-z, 0-9, - and _, by default a random one.") var id: String?
        @Option(help: "The name that people see, by default the id.") var name: String?
        @Option(
            name: .customLong("redirect-uri"),
            help: "An address that codes are sent to. Can be given several times."
        )
        var redirectURIs: [String] = []
        @Option(
            name: .customLong("post-logout-redirect-uri"),
            help: "An address that a browser may be sent to after a sign-out. Can be given several times."
        )
        var postLogoutRedirectURIs: [String] = []
        @Option(
            name: .customLong("grant"),
            help: """
                A grant that it may use: authorization_code, refresh_token, ciba, device_code. Can be given several times, by \
                default the first two.
                """
        )
        var grants: [String] = []
        @Option(help: "How it authenticates: none, secret, private-key-jwt.") var auth = "none"
        @Option(help: "The file of its public keys, a JWK set.") var keys: String?
        @Option(
            name: .customLong("scope"),
            help:
                "A scope that it may ask for. Can be given several times, by default openid, profile, email, offline_access."
        )
        var scopes: [String] = []
        @Option(
            name: .customLong("resource"),
            help: "An API that it may ask for tokens for (RFC 8707). Can be given several times."
        )
        var resources: [String] = []
        @Flag(help: "Its requests have to be pushed first (RFC 9126).") var requirePushedRequests = false
        @Flag(name: .customLong("require-dpop"), help: "Its tokens have to be bound to a key (RFC 9449).")
        var requireDPoP = false
        @Option(
            help: """
                The proof that a person needs: any, face-or-passkey, face, passkey, face-and-passkey. By default \
                face-or-passkey.
                """
        )
        var requires: String?
        @Option(help: "How CIBA delivers: poll, ping, push.") var delivery: String?
        @Option(
            help:
                "The address that pings and pushes of CIBA are sent to: https, in laptop mode also http on this machine."
        )
        var notificationEndpoint: String?
        @Option(
            name: .customLong("id-token-alg"),
            help:
                "The algorithm of its id tokens: RS256, or by default that of access tokens."
        )
        var idTokenAlgorithm: String?
        @Option(
            name: .customLong("id-token-claim"),
            help:
                "A claim about the person in its id tokens: name, preferred_username, email. Can be given several times."
        )
        var idTokenClaims: [String] = []

        func command(_ input: CommandInput) throws -> any AdminCommand<ClientSecretView> {
            var metadata = Metadata()
            metadata.id = id
            metadata.name = name
            metadata.redirectURIs = redirectURIs
            metadata.postLogoutRedirectURIs = postLogoutRedirectURIs
            metadata.grants = grants.isEmpty ? ["authorization_code", "refresh_token"] : grants
            metadata.authentication = auth
            metadata.keys = try keys.map(input.text)
            metadata.scopes = scopes.isEmpty ? nil : scopes
            metadata.resources = resources
            metadata.requiresPushedRequests = requirePushedRequests
            metadata.requiresDPoP = requireDPoP
            metadata.requires = requires
            metadata.delivery = delivery
            metadata.notificationEndpoint = notificationEndpoint
            metadata.idTokenAlgorithm = idTokenAlgorithm
            metadata.idTokenClaims = idTokenClaims
            return AddClient(metadata: metadata)
        }

        func lines(_ reply: ClientSecretView) -> [String] {
            ["client \(reply.client.id)"] + (reply.secret.map { ["secret \($0)"] } ?? [])
        }
    }
}

extension ClientMetadata {
    fileprivate init(_ given: AddClient.Metadata) throws(ClientError) {
        self.init()
        name = given.name
        redirectURIs = given.redirectURIs
        postLogoutRedirectURIs = given.postLogoutRedirectURIs
        resources = given.resources
        keys = given.keys
        requiresPushedRequests = given.requiresPushedRequests
        requiresDPoP = given.requiresDPoP
        if let name = given.requires {
            let names = RequiredProof.allCases.map(\.rawValue).joined(separator: ", ")
            requires = try Self.value(name, of: "--requires takes one of \(names).")
        }
        grants = []
        for name in given.grants {
            guard let grant = OAuthClient.GrantType(shortName: name) else {
                throw .badArgument("The grant \(name) is unknown. Known grants: \(OAuthClient.GrantType.shortNames).")
            }
            grants.insert(grant)
        }
        switch given.authentication {
        case "none": method = .none
        case "secret": method = .secretBasic
        case "private-key-jwt": method = .privateKeyJWT
        default: throw .badArgument("--auth takes none, secret or private-key-jwt.")
        }
        if let names = given.scopes {
            guard let scopes = ScopeSet(parsing: names.joined(separator: " ")) else {
                throw .badArgument("--scope takes one word of printable ASCII each time.")
            }
            self.scopes = scopes
        }
        if let name = given.idTokenAlgorithm {
            identityAlgorithm = try Self.value(name, of: "--id-token-alg takes one of \(IdentityAlgorithm.names).")
        }
        for name in given.idTokenClaims {
            identityClaims.insert(try Self.value(name, of: "--id-token-claim takes one of \(IdentityClaim.names)."))
        }
        if let name = given.delivery {
            backchannel = OAuthClient.Backchannel(
                delivery: try Self.value(name, of: "--delivery takes poll, ping or push."),
                notificationEndpoint: given.notificationEndpoint,
                requiresSignedRequests: false
            )
        }
    }

    /// The value of that name; `sentence` tells which there are.
    private static func value<Value: RawRepresentable<String>>(
        _ name: String,
        of sentence: String
    ) throws(ClientError) -> Value {
        guard let value = Value(rawValue: name) else { throw .badArgument(sentence) }
        return value
    }
}
