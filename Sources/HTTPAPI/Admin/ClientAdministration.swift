package import Kernel
package import OAuth
package import SignIn

/// What the command line may ask about OAuth clients.
package struct ClientAdministration: Sendable {
    private let desk: ClientDesk
    private let ending: EndingService
    private let unitOfWork: any UnitOfWork
    private let apps: Set<String>

    /// `apps`: the ids of the config's clients, those that speak no OAuth too.
    package init(desk: ClientDesk, ending: EndingService, unitOfWork: any UnitOfWork, apps: Set<String>) {
        self.desk = desk
        self.ending = ending
        self.apps = apps
        self.unitOfWork = unitOfWork
    }

    /// Adds a client; its secret is in the answer, and nowhere else.
    func add(_ order: AdminRequest.ClientOrder) async throws -> AdminReply {
        .clientSecret(.init(try await desk.add(try ClientMetadata(order), id: order.id)))
    }

    /// All clients, of the config and of the store.
    func list() async throws -> AdminReply {
        .clients(try await desk.list().map { .init($0.client, $0.createdAt) })
    }

    func show(_ id: String) async throws -> AdminReply {
        guard let found = try await desk.list().first(where: { $0.client.id == id }) else {
            throw ClientFault.unknown(id: id)
        }
        return .client(.init(found.client, found.createdAt))
    }

    /// A new secret; the one before counts for so long beside it.
    func rotate(_ id: String, overlapSeconds: Int) async throws -> AdminReply {
        .clientSecret(.init(try await desk.rotateSecret(of: id, overlap: .seconds(overlapSeconds))))
    }

    func setEnabled(_ id: String, _ isEnabled: Bool) async throws -> AdminReply {
        _ = try await desk.setEnabled(id, isEnabled)
        return try await show(id)
    }

    /// Ends all sessions of a client, of the config or of the store, whoever's they are; its people sign in again.
    func signOut(_ id: String) async throws -> AdminReply {
        if !apps.contains(id) { _ = try await show(id) }
        let count = try await unitOfWork.run { [ending] transaction in
            try ending.end(.clientSignedOut, ofClient: id, in: transaction)
        }
        try await ending.settle(.clientSignedOut, ofClient: id)
        return .revokedSessions(count)
    }

    /// A token by which clients register themselves.
    func openRegistration(uses: Int, seconds: Int) async throws -> AdminReply {
        let opened = try await desk.openRegistration(uses: uses, lifetime: .seconds(seconds))
        return .registrationToken(
            .init(token: opened.token.expose(), uses: uses, expiresAt: opened.expiresAt.milliseconds)
        )
    }
}

extension AdminRequest {
    /// An OAuth client to add; the names are those of RFC 7591 §2, as texts that are checked by the daemon.
    package struct ClientOrder: Codable, Sendable, Equatable {
        /// `nil`: the daemon makes one up.
        package var id: String?
        package var name: String?
        package var redirectURIs: [String] = []
        package var postLogoutRedirectURIs: [String] = []
        /// In short, as the config writes them: `authorization_code`, `refresh_token`, `ciba`, `device_code`.
        package var grants: [String] = []
        /// `none`, `secret` or `private-key-jwt`.
        package var authentication = "none"
        /// A JWK set.
        package var keys: String?
        package var scopes: [String]?
        package var resources: [String] = []
        package var requiresPushedRequests = false
        package var requiresDPoP = false
        /// What a person has to have proved; `nil` for what the sign-in page offers.
        package var requires: String?
        /// `poll`, `ping` or `push`.
        package var delivery: String?
        package var notificationEndpoint: String?
        /// As `id_token_signed_response_alg` writes it.
        package var idTokenAlgorithm: String?
        package var idTokenClaims: [String] = []

        package init() {}
    }
}

extension ClientMetadata {
    fileprivate init(_ order: AdminRequest.ClientOrder) throws(ClientFault) {
        self.init()
        name = order.name
        redirectURIs = order.redirectURIs
        postLogoutRedirectURIs = order.postLogoutRedirectURIs
        resources = order.resources
        keys = order.keys
        requiresPushedRequests = order.requiresPushedRequests
        requiresDPoP = order.requiresDPoP
        if let name = order.requires {
            guard let proof = RequiredProof(rawValue: name) else {
                let names = RequiredProof.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badOrder("--requires takes one of \(names).")
            }
            requires = proof
        }
        grants = []
        for name in order.grants {
            guard let grant = OAuthClient.GrantType(shortName: name) else {
                throw .badOrder("There is no grant \(name); there are \(OAuthClient.GrantType.shortNames).")
            }
            grants.insert(grant)
        }
        switch order.authentication {
        case "none": method = .none
        case "secret": method = .secretBasic
        case "private-key-jwt": method = .privateKeyJWT
        default: throw .badOrder("--auth takes none, secret or private-key-jwt.")
        }
        if let names = order.scopes {
            guard let scopes = ScopeSet(parsing: names.joined(separator: " ")) else {
                throw .badOrder("--scope takes one word of printable ASCII each time.")
            }
            self.scopes = scopes
        }
        if let name = order.idTokenAlgorithm {
            guard let algorithm = IdentityAlgorithm(rawValue: name) else {
                throw .badOrder("--id-token-alg takes one of \(IdentityAlgorithm.names).")
            }
            identityAlgorithm = algorithm
        }
        for name in order.idTokenClaims {
            guard let claim = IdentityClaim(rawValue: name) else {
                throw .badOrder("--id-token-claim takes one of \(IdentityClaim.names).")
            }
            identityClaims.insert(claim)
        }
        if let name = order.delivery {
            guard let delivery = OAuthClient.Backchannel.Delivery(rawValue: name) else {
                throw .badOrder("--delivery takes poll, ping or push.")
            }
            backchannel = OAuthClient.Backchannel(
                delivery: delivery,
                notificationEndpoint: order.notificationEndpoint,
                requiresSignedRequests: false
            )
        }
    }
}

extension AdminReply {
    /// An OAuth client as operators see it.
    package struct ClientView: Codable, Sendable, Equatable {
        package let id: String
        package let name: String
        /// `config`, `added` or `registered`.
        package let origin: String
        package let isEnabled: Bool
        /// `none`, `secret` or `private-key-jwt`.
        package let authentication: String
        /// How many secrets or keys there are.
        package let secretsOrKeys: Int
        package let grants: [String]
        package let redirectURIs: [String]
        package let postLogoutRedirectURIs: [String]
        package let scopes: [String]
        package let audience: String
        package let resources: [String]
        package let requiresPushedRequests: Bool
        package let requiresDPoP: Bool
        /// What a person has to have proved.
        package let requires: String
        package let delivery: String?
        /// `nil`: what access tokens are signed with.
        package let idTokenAlgorithm: String?
        package let idTokenClaims: [String]
        /// Milliseconds since 1970; `nil` for one of the config.
        package let createdAt: Int64?
    }

    /// A client with the secret that was just made for it.
    package struct ClientSecretView: Codable, Sendable, Equatable {
        package let client: ClientView
        /// `nil` for a client that has none.
        package let secret: String?
    }

    /// A token that was just made, by which clients register themselves.
    package struct RegistrationTokenView: Codable, Sendable, Equatable {
        package let token: String
        package let uses: Int
        /// Milliseconds since 1970.
        package let expiresAt: Int64
    }
}

extension AdminReply.ClientView {
    init(_ client: OAuthClient, _ createdAt: Instant?) {
        let (way, count) = client.authentication.described
        self.init(
            id: client.id,
            name: client.name,
            origin: client.origin.rawValue,
            isEnabled: client.isEnabled,
            authentication: way,
            secretsOrKeys: count,
            grants: client.grants.map(\.shortName).sorted(),
            redirectURIs: client.redirectURIs,
            postLogoutRedirectURIs: client.postLogoutRedirectURIs,
            scopes: client.scopes.values.sorted(),
            audience: client.audience,
            resources: client.resources,
            requiresPushedRequests: client.requiresPushedRequests,
            requiresDPoP: client.requiresDPoP,
            requires: client.requires.rawValue,
            delivery: client.backchannel?.delivery.rawValue,
            idTokenAlgorithm: client.identityAlgorithm?.rawValue,
            idTokenClaims: client.identityClaims.map(\.rawValue).sorted(),
            createdAt: createdAt?.milliseconds
        )
    }
}

extension AdminReply.ClientSecretView {
    init(_ issued: IssuedClient) {
        self.init(client: .init(issued.client, issued.createdAt), secret: issued.secret?.expose())
    }
}

extension OAuthClient.Authentication {
    fileprivate var described: (way: String, count: Int) {
        switch self {
        case .none: ("none", 0)
        case .secret(let hashes): ("secret", hashes.count)
        case .privateKeyJWT(let keys): ("private-key-jwt", keys.count)
        }
    }
}
