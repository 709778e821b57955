package import Kernel
package import OAuth
import Testing

/// The contract of every store of OAuth clients, one case a promise.
package enum OAuthClientStoreContract: String, StorePromise {
    case comesBack = "a client comes back as it was kept, whatever its way to show itself"
    case onceByID = "an id is kept once, and the first client stays"
    case listed = "all are listed by their ids, and counted"
    case disabled = "a client is disabled and enabled, and nobody else"
    case replaced = "a client is replaced as a whole but for its secrets and its age, and nobody else"
    case removed = "a client is removed with its secrets, and its id is free again"
    case rotated = "secrets take the place of those before, the one in force first"
    case ticketUsed = "a ticket lets in as many as it may, until it expires"
    case purged = "a purge takes what has expired, and no more than it may"

    /// Checks this promise over an empty store.
    package func check(
        over store: some OAuthClientStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork
    ) async throws {
        let subject = OAuthClientsUnderTest(store: store, purging: purge, unitOfWork: unitOfWork)
        switch self {
        case .comesBack: try await subject.checkComesBack()
        case .onceByID: try await subject.checkOnceByID()
        case .listed: try await subject.checkListed()
        case .disabled: try await subject.checkDisabled()
        case .replaced: try await subject.checkReplaced()
        case .removed: try await subject.checkRemoved()
        case .rotated: try await subject.checkRotated()
        case .ticketUsed: try await subject.checkTicketUsed()
        case .purged: try await subject.checkPurged()
        }
    }
}

private struct OAuthClientsUnderTest<Store: OAuthClientStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work

    private static var now: Instant { OperationSample.start }

    func checkComesBack() async throws {
        for stored in [Self.web, Self.app, Self.backend] {
            #expect(try await insert(stored))
            #expect(try await find(stored.client.id) == stored)
        }
        #expect(try await find("nobody") == nil)
    }

    func checkOnceByID() async throws {
        #expect(try await insert(Self.web))
        let other = Self.client("web", .none, redirectURIs: ["com.example.other:/done"])
        #expect(try await !insert(other))
        #expect(try await find("web") == Self.web)
    }

    func checkListed() async throws {
        for client in [Self.web, Self.backend, Self.app] { _ = try await insert(client) }
        #expect(try await store.all() == [Self.app, Self.backend, Self.web])
        let count = try await unitOfWork.run { [store] in try store.count(in: $0) }
        #expect(count == 3)
    }

    func checkDisabled() async throws {
        for client in [Self.web, Self.app] { _ = try await insert(client) }
        for isEnabled in [false, true, false] {
            let isFound = try await unitOfWork.run { [store] in try store.setEnabled("web", isEnabled, in: $0) }
            #expect(isFound)
            #expect(try await find("web")?.client.isEnabled == isEnabled)
        }
        #expect(try await find("app")?.client.isEnabled == true)
        let isFound = try await unitOfWork.run { [store] in try store.setEnabled("nobody", false, in: $0) }
        #expect(!isFound)
    }

    func checkReplaced() async throws {
        for client in [Self.web, Self.app, Self.backend] { _ = try await insert(client) }
        var changed = Self.backend.client
        changed.id = "web"
        changed.origin = .registered
        changed.authentication = Self.web.client.authentication
        changed.access.audience = "web"
        changed.tokens.logout = LogoutEndpoint(uri: "https://app.example.com/logout", isSessionRequired: true)
        changed.appearance.theme = ClientTheme(["name": "The \"Web\"", "links.help": "https://www.example.com/?a=b"])
        let (store, whole) = (store, changed)
        try await unitOfWork.run { try store.replace(whole, in: $0) }
        #expect(try await find("web") == StoredOAuthClient(client: changed, createdAt: Self.now))
        changed.tokens.logout = nil
        changed.appearance.theme = nil
        changed.authorization.backchannel = nil
        changed.access.grants = [.deviceCode]
        changed.authentication = .secret([])
        let bare = changed
        try await unitOfWork.run { try store.replace(bare, in: $0) }
        #expect(try await find("web")?.client.authentication == Self.web.client.authentication, "secrets stay")
        #expect(try await find("web")?.client.tokens.logout == nil)
        #expect(try await find("web")?.client.appearance.theme == nil)
        #expect(try await find("app") == Self.app)
        changed.id = "nobody"
        let unknown = changed
        try await unitOfWork.run { try store.replace(unknown, in: $0) }
        #expect(try await find("nobody") == nil)
    }

    func checkRemoved() async throws {
        for client in [Self.web, Self.app] { _ = try await insert(client) }
        let isRemoved = try await unitOfWork.run { [store] in try store.remove("web", in: $0) }
        #expect(isRemoved)
        #expect(try await find("web") == nil)
        #expect(try await store.all() == [Self.app])
        let again = try await unitOfWork.run { [store] in try store.remove("web", in: $0) }
        #expect(!again)
        let other = Self.client("web", .none, redirectURIs: ["com.example.other:/done"])
        #expect(try await insert(other))
        #expect(try await find("web") == other)
    }

    func checkRotated() async throws {
        _ = try await insert(Self.web)
        let secrets = [Self.secret(2), Self.secret(1, for: .seconds(60))]
        try await unitOfWork.run { [store] in try store.setSecrets("web", secrets, in: $0) }
        #expect(try await find("web")?.client.authentication == .secret(secrets))
        #expect(try await store.all().first?.client.authentication == .secret(secrets))
    }

    func checkTicketUsed() async throws {
        try await insert(1, uses: 2, for: .seconds(60))
        #expect(try await use(1))
        #expect(try await !use(2), "that name is unknown")
        #expect(try await !use(1, after: .seconds(60)), "good before its end, not at it")
        #expect(try await use(1, after: .seconds(59)))
        #expect(try await !use(1))
    }

    func checkPurged() async throws {
        for number in 1...3 as ClosedRange<UInt64> {
            try await insert(number, uses: 1, for: .seconds(Int64(number)))
        }
        _ = try await insert(Self.web)
        let secrets = [Self.secret(3), Self.secret(1, for: .seconds(1)), Self.secret(2, for: .seconds(100))]
        try await unitOfWork.run { [store] in try store.setSecrets("web", secrets, in: $0) }
        #expect(try await purge(limit: 1) == 1, "the first ticket")
        #expect(try await purge(limit: 10) == 2, "the second ticket, and the first secret")
        #expect(try await purge(limit: 10) == 0)
        #expect(try await use(3))
        #expect(
            try await find("web")?.client.authentication
                == .secret([Self.secret(3), Self.secret(2, for: .seconds(100))])
        )
    }

    private static var web: StoredOAuthClient {
        client("web", .secret([secret(1)]), redirectURIs: ["https://app.example.com/done?a=b", "http://127.0.0.1/"])
    }

    private static var app: StoredOAuthClient { client("app", .none, redirectURIs: ["com.example.app:/done"]) }

    private static var backend: StoredOAuthClient {
        StoredOAuthClient(
            client: OAuthClient(
                id: "backend",
                name: "Ein Büro",
                origin: .added,
                isEnabled: false,
                authentication: .privateKeyJWT(ClientKeySet(document: #"{"keys":[]}"#)),
                access: OAuthClient.Access(
                    grants: [.ciba, .deviceCode, .refreshToken],
                    scopes: ScopeSet(["openid", "payments"]),
                    audience: "backend",
                    resources: ["https://api.example.com/", "https://files.example.com/v1"]
                ),
                authorization: OAuthClient.AuthorizationRules(
                    requiresPushedRequests: true,
                    requires: .face,
                    ways: [.face],
                    backchannel: OAuthClient.Backchannel(
                        delivery: .ping,
                        notificationEndpoint: "https://app.example.com/ping",
                        requiresSignedRequests: true
                    )
                ),
                tokens: OAuthClient.TokenRules(
                    requiresDPoP: true,
                    identityAlgorithm: .rs256,
                    identityClaims: [.name, .email],
                    logout: LogoutEndpoint(uri: "https://app.example.com/logout?a=b", isSessionRequired: true)
                )
            ),
            createdAt: now
        )
    }

    private static func client(
        _ id: String,
        _ authentication: OAuthClient.Authentication,
        redirectURIs: [String]
    ) -> StoredOAuthClient {
        StoredOAuthClient(
            client: OAuthClient(
                id: id,
                name: id,
                origin: .registered,
                authentication: authentication,
                access: OAuthClient.Access(grants: [.authorizationCode], scopes: ScopeSet([]), audience: id),
                authorization: OAuthClient.AuthorizationRules(redirectURIs: redirectURIs, postLogoutRedirectURIs: [])
            ),
            createdAt: now
        )
    }

    private static func secret(_ number: UInt64, for life: Duration? = nil) -> SecretHash {
        SecretHash(OperationSample.digest("client secret", number), expiresAt: life.map { now + $0 })
    }

    private static func ticket(_ number: UInt64) -> Digest256 { OperationSample.digest("ticket", number) }

    private func insert(_ client: StoredOAuthClient) async throws -> Bool {
        try await unitOfWork.run { [store] in try store.insert(client, in: $0) }
    }

    private func find(_ id: String) async throws -> StoredOAuthClient? {
        try await unitOfWork.run { [store] in try store.find(id, in: $0) }
    }

    private func insert(_ number: UInt64, uses: Int, for life: Duration) async throws {
        let ticket = RegistrationTicket(
            digest: Self.ticket(number),
            uses: uses,
            createdAt: Self.now,
            expiresAt: Self.now + life
        )
        try await unitOfWork.run { [store] in try store.insert(ticket, in: $0) }
    }

    private func use(_ number: UInt64, after time: Duration = .zero) async throws -> Bool {
        try await unitOfWork.run { [store] in try store.use(Self.ticket(number), at: Self.now + time, in: $0) }
    }

    private func purge(limit: Int) async throws -> Int {
        try await unitOfWork.run { [purging] in try purging(Self.now + .milliseconds(2500), limit, $0) }
    }
}
