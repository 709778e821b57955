import Kernel
import OAuth

/// An OAuth client as operators see it.
struct ClientView: Codable, Sendable, TableRow {
    let id: String
    let name: String
    /// `config`, `added` or `registered`.
    let origin: String
    let isEnabled: Bool
    /// `none`, `secret` or `private-key-jwt`.
    let authentication: String
    /// The number of secrets or keys.
    let secretsOrKeys: Int
    let grants: [String]
    let redirectURIs: [String]
    let postLogoutRedirectURIs: [String]
    let scopes: [String]
    let audience: String
    let resources: [String]
    let requiresPushedRequests: Bool
    let requiresDPoP: Bool
    /// The proof that people must give when they sign in.
    let requires: String
    /// The ways to sign in that are good enough for it.
    let ways: [String]
    let delivery: String?
    /// `nil`: the algorithm of access tokens.
    let idTokenAlgorithm: String?
    let idTokenClaims: [String]
    /// Its look by the keys of a theme in the config; `nil` for the owner's, and for a client of the config.
    let theme: [String: String]?
    /// Milliseconds since 1970; `nil` for a client of the config.
    let createdAt: Int64?
    /// The endpoint of logout tokens, with what waits for it; `nil` without one, and in lists.
    var logout: Logout?

    /// A client's endpoint of logout tokens.
    struct Logout: Codable, Sendable {
        let uri: String
        let sessionRequired: Bool
        /// The ended sessions of which the client is to be told.
        let waiting: Int
        /// Milliseconds since 1970; `nil` if none waits.
        let oldest: Int64?
        /// The cause of the latest failure of what waits.
        let lastFailure: String?

        init(_ endpoint: LogoutEndpoint, _ state: NoticeQueueState) {
            uri = endpoint.uri
            sessionRequired = endpoint.isSessionRequired
            waiting = state.waiting
            oldest = state.oldest?.milliseconds
            lastFailure = state.failure
        }

        fileprivate var line: String {
            guard waiting > 0 else { return uri }
            let failure = lastFailure.map { ", last failure: \($0)" } ?? ""
            return "\(uri) (\(waiting) waiting since \(Rendering.time(oldest))\(failure))"
        }
    }

    init(_ client: OAuthClient, createdAt: Instant?) {
        id = client.id
        name = client.name
        origin = client.origin.rawValue
        isEnabled = client.isEnabled
        (authentication, secretsOrKeys) =
            switch client.authentication {
            case .none: ("none", 0)
            case .secret(let hashes): ("secret", hashes.count)
            case .privateKeyJWT(let keys): ("private-key-jwt", keys.count)
            }
        grants = client.access.grants.map(\.shortName).sorted()
        redirectURIs = client.authorization.redirectURIs
        postLogoutRedirectURIs = client.authorization.postLogoutRedirectURIs
        scopes = client.access.scopes.values.sorted()
        audience = client.access.audience
        resources = client.access.resources
        requiresPushedRequests = client.authorization.requiresPushedRequests
        requiresDPoP = client.tokens.requiresDPoP
        requires = client.authorization.requires.rawValue
        ways = SignInWay.allCases.filter(client.authorization.acceptedWays.contains).map(\.rawValue)
        delivery = client.authorization.backchannel?.delivery.rawValue
        idTokenAlgorithm = client.tokens.identityAlgorithm?.rawValue
        idTokenClaims = client.tokens.identityClaims.map(\.rawValue).sorted()
        theme = client.appearance.theme?.values
        self.createdAt = createdAt?.milliseconds
    }

    static let titles = ["ID", "NAME", "ORIGIN", "STATE", "AUTHENTICATION", "GRANTS", "ADDED"]

    var cells: [String] {
        [id, name, origin, state, authentication, grants.joined(separator: " "), Rendering.time(createdAt)]
    }

    /// The lines about one client, for people.
    var lines: [String] {
        [
            ("id", id), ("name", name), ("origin", origin), ("state", state),
            ("authentication", "\(authentication) (\(secretsOrKeys) kept)"), ("grants", listed(grants)),
            ("redirect URIs", listed(redirectURIs)), ("after sign-out", listed(postLogoutRedirectURIs)),
            ("scopes", listed(scopes)), ("audience", audience), ("resources", listed(resources)),
            ("pushed requests", requiresPushedRequests ? "required" : "optional"),
            ("requires", requires), ("ways to sign in", listed(ways)), ("DPoP", requiresDPoP ? "required" : "optional"),
            ("CIBA delivery", delivery ?? "-"), ("logout endpoint", logout?.line ?? "-"),
            ("theme", listed((theme ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })),
            ("added", Rendering.time(createdAt)),
        ].map { "\($0): \($1)" }
    }

    private var state: String { isEnabled ? "enabled" : "disabled" }

    private func listed(_ values: [String]) -> String { values.isEmpty ? "-" : values.joined(separator: " ") }
}

extension CommandArguments<ClientView> {
    func lines(_ reply: ClientView) -> [String] { reply.lines }
}

/// A client with its new secret.
struct ClientSecretView: Codable, Sendable {
    let client: ClientView
    /// `nil` for a client without a secret.
    let secret: String?

    init(_ issued: IssuedClient) {
        client = ClientView(issued.client, createdAt: issued.createdAt)
        secret = issued.secret?.expose()
    }
}
