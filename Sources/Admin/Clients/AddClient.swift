import ArgumentParser
import Kernel
import OAuth

/// `vestibule clients add`: adds a client, whose secret is only in the reply.
struct AddClient: CommandLineCommand {
    static let name = "addClient"
    static let replyName = "clientSecret"
    static let effect = CommandEffect.writes

    var metadata: Metadata

    var target: String? { metadata.id }

    /// The client as the operator describes it, in the names of RFC 7591 §2, as texts that the daemon checks.
    struct Metadata: Codable, Sendable {
        /// `nil`: the daemon creates an id.
        var id: String?
        var name: String?
        var redirectURIs: [String] = []
        var postLogoutRedirectURIs: [String] = []
        /// The short names that the config uses: `authorization_code`, `refresh_token`, `ciba`, `device_code`.
        var grants: [String] = []
        /// `none`, `secret` or `private-key-jwt`.
        var authentication = "none"
        /// A JWK set.
        var keys: String?
        var scopes: [String]?
        var resources: [String] = []
        var requiresPushedRequests = false
        var requiresDPoP = false
        /// The proof that people must give when they sign in; `nil`: the proofs that the sign-in page offers.
        var requires: String?
        /// `poll`, `ping` or `push`.
        var delivery: String?
        var notificationEndpoint: String?
        /// A value of `id_token_signed_response_alg`.
        var idTokenAlgorithm: String?
        var idTokenClaims: [String] = []
        /// `nil` in a request of an earlier program, and for a client without logout tokens.
        var logoutURI: String?
        var requiresLogoutSession: Bool?
        /// The ways to sign in that are good enough; if empty, those that `requires` admits.
        var ways: [String]?
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
        @OptionGroup var flows: Flows
        @OptionGroup var authentication: Authentication
        @OptionGroup var access: Access
        @OptionGroup var demands: Demands
        @OptionGroup var backchannel: Backchannel
        @OptionGroup var idTokens: IDTokens

        func command(_ input: CommandInput) throws -> any AdminCommand<ClientSecretView> {
            var metadata = Metadata()
            metadata.id = id
            metadata.name = name
            metadata.redirectURIs = flows.redirectURIs
            metadata.postLogoutRedirectURIs = flows.postLogoutRedirectURIs
            metadata.grants = flows.grants.isEmpty ? ["authorization_code", "refresh_token"] : flows.grants
            metadata.authentication = authentication.auth
            metadata.keys = try authentication.keys.map(input.text)
            metadata.scopes = access.scopes.isEmpty ? nil : access.scopes
            metadata.resources = access.resources
            metadata.requiresPushedRequests = demands.requirePushedRequests
            metadata.requiresDPoP = demands.requireDPoP
            metadata.requires = demands.requires
            metadata.ways = demands.ways.isEmpty ? nil : demands.ways
            metadata.delivery = backchannel.delivery
            metadata.notificationEndpoint = backchannel.notificationEndpoint
            metadata.idTokenAlgorithm = idTokens.idTokenAlgorithm
            metadata.idTokenClaims = idTokens.idTokenClaims
            metadata.logoutURI = idTokens.logoutURI
            metadata.requiresLogoutSession = idTokens.isLogoutSessionRequired ? true : nil
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
        for name in given.ways ?? [] { ways.insert(try Self.value(name, of: "--way takes one of \(SignInWay.names).")) }
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
        if given.requiresLogoutSession == true, given.logoutURI == nil {
            throw .badArgument("--backchannel-logout-session-required needs --backchannel-logout-uri.")
        }
        logout = given.logoutURI.map {
            LogoutEndpoint(uri: $0, isSessionRequired: given.requiresLogoutSession ?? false)
        }
        if let name = given.delivery {
            backchannel = OAuthClient.Backchannel(
                delivery: try Self.value(name, of: "--delivery takes poll, ping or push."),
                notificationEndpoint: given.notificationEndpoint,
                requiresSignedRequests: false
            )
        }
    }

    /// Returns the value with that name; `sentence` lists the known names for the error.
    private static func value<Value: RawRepresentable<String>>(
        _ name: String,
        of sentence: String
    ) throws(ClientError) -> Value {
        guard let value = Value(rawValue: name) else { throw .badArgument(sentence) }
        return value
    }
}
