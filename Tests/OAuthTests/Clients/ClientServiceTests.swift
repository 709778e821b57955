import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import OAuth

/// Tests adding, registering, changing and disabling clients.
struct ClientServiceTests {
    private let time = VirtualTime()
    private let disk = MemoryDisk()
    private let storage: MemoryStorage
    private let directory = OAuthClientDirectory(configured: [ClientHarness.client("first", .none)])
    private let secrets = ClientSecrets(key: ClientHarness.key)
    private let ending: ConsentEnding

    /// The single instance, so that its randomness continues.
    private let service: ClientService

    init() {
        storage = disk.open()
        ending = ConsentEnding(consents: storage.consents)
        service = ClientService(
            directory: directory,
            environment: time.environment(),
            unitOfWork: storage.unitOfWork,
            store: storage.oauthClients,
            auditLog: storage.auditLog,
            secrets: secrets,
            ending: ending,
            rules: NewClientRules(
                reserved: ["first", "first-audience"],
                names: ["The Bank"],
                configFile: "/etc/vestibule.yaml"
            )
        )
    }

    private var web: ClientMetadata {
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["https://app.example.com/done"]
        return metadata
    }

    /// The code of the fault, or nothing.
    private func fault(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let error as ClientError { return error.code }
    }

    private func authenticates(_ id: String, _ secret: Secret?) -> Bool {
        let authenticator = ClientAuthenticator(
            directory: directory,
            secrets: secrets,
            assertions: AssertionMemory(environment: time.environment())
        )
        let credentials = ClientHarness.credentials {
            $0.clientID = id
            $0.clientSecret = secret?.expose()
        }
        return (try? authenticator.authenticate(credentials, at: time.environment().now())) != nil
    }

    // T-173
    @Test func `attack: a client whose sessions could not be ended stays disabled until they are`() async throws {
        _ = try await service.add(web, id: "web")
        ending.isFaulty.withLock { $0 = true }
        await #expect(throws: (any Error).self) { try await service.setEnabled("web", false) }
        #expect(directory.client("web")?.isEnabled == false)
        await #expect(throws: (any Error).self) { try await service.setEnabled("web", true) }
        #expect(directory.client("web")?.isEnabled == false, "its sessions would come back with it")
        ending.isFaulty.withLock { $0 = false }
        #expect(try await service.setEnabled("web", true).isEnabled)
    }

    @Test func `a client that is added signs in at once, and after a restart`() async throws {
        let issued = try await service.add(web, id: "web")
        #expect(authenticates("web", issued.secret))
        directory.replace([], readAfter: directory.appliedCount)
        #expect(!authenticates("web", issued.secret))
        #expect(try await service.load() == [])
        #expect(authenticates("web", issued.secret))
        #expect(try await service.list().map(\.client.id) == ["first", "web"])
        #expect(issued.client.origin == .added && !issued.client.origin.isFirstParty)
    }

    // O-065, O-082
    @Test func `attack: a client can't have the id or audience of a client in the config`() async throws {
        for id in ["first", "first-audience", "", "Web", "-web", "a b", String(repeating: "a", count: 65)] {
            let code = try await fault { _ = try await service.add(web, id: id) }
            #expect(code == "bad_client_id", "\(id)")
        }
        _ = try await service.add(web, id: "web")
        let code = try await fault { _ = try await service.add(web, id: "web") }
        #expect(code == "client_exists")
    }

    @Test func `a new secret counts at once, and the one before as long as its overlap`() async throws {
        let first = try await service.add(web, id: "web")
        let second = try await service.rotateSecret(of: "web", overlap: .seconds(60))
        #expect(first.secret != second.secret)
        #expect(authenticates("web", first.secret) && authenticates("web", second.secret))
        let third = try await service.rotateSecret(of: "web", overlap: .seconds(60))
        #expect(!authenticates("web", first.secret), "it was in its overlap")
        #expect(authenticates("web", second.secret) && authenticates("web", third.secret))
        let fourth = try await service.rotateSecret(of: "web", overlap: .zero)
        #expect(
            !authenticates("web", second.secret) && !authenticates("web", third.secret)
                && authenticates("web", fourth.secret)
        )
    }

    @Test func `a refused change says why`() async throws {
        var app = web
        app.method = .none
        _ = try await service.add(app, id: "app")
        let codes = [
            try await fault { _ = try await service.rotateSecret(of: "first", overlap: .zero) },
            try await fault { _ = try await service.rotateSecret(of: "nobody", overlap: .zero) },
            try await fault { _ = try await service.rotateSecret(of: "app", overlap: .zero) },
            try await fault { _ = try await service.rotateSecret(of: "app", overlap: .seconds(31 * 86_400)) },
            try await fault { _ = try await service.setEnabled("first", false) },
        ]
        #expect(
            codes == [
                "client_configured", "client_not_found", "client_without_secret", "bad_order", "client_configured",
            ]
        )
    }

    // T-173
    @Test func `attack: a disabled client can't authenticate until it is enabled`() async throws {
        let issued = try await service.add(web, id: "web")
        _ = try await service.setEnabled("web", false)
        #expect(!authenticates("web", issued.secret))
        _ = try await service.setEnabled("web", true)
        #expect(authenticates("web", issued.secret))
    }

    // T-163
    @Test func `attack: registering a CIBA client is refused for every delivery mode`()
        async throws
    {
        let ticket = try await service.openRegistration(uses: 1, lifetime: .seconds(60)).token
        for delivery in OAuthClient.Backchannel.Delivery.allCases {
            var metadata = ClientMetadata()
            metadata.grants = [.ciba]
            metadata.backchannel = .init(
                delivery: delivery,
                notificationEndpoint: delivery == .poll ? nil : "https://127.0.0.1/notices",
                requiresSignedRequests: false
            )
            let refused = metadata
            let code = try await fault { _ = try await service.register(refused, ticket: ticket) }
            #expect(code == "invalid_client_metadata")
        }
        _ = try await service.register(web, ticket: ticket)
    }

    // T-163, T-165
    @Test func `attack: a registration ticket admits as many clients as it says, and a refused one does not count`()
        async throws
    {
        let ticket = try await service.openRegistration(uses: 1, lifetime: .seconds(60)).token
        var bad = web
        bad.redirectURIs = ["javascript:alert(1)"]
        let refused = bad
        let first = try await fault { _ = try await service.register(refused, ticket: ticket) }
        #expect(first == "invalid_redirect_uri")
        let issued = try await service.register(web, ticket: ticket)
        #expect(issued.client.origin == .registered && authenticates(issued.client.id, issued.secret))
        let again = try await fault { _ = try await service.register(web, ticket: ticket) }
        let attacker = try await fault { _ = try await service.register(web, ticket: Secret("guess")) }
        #expect(again == "bad_registration_token" && attacker == "bad_registration_token")
        #expect(try await service.list().count == 2)
    }

    // T-163, O-083
    /// RFC 7591 §5: a client can call itself what it wants, and people go by the name where they are asked.
    @Test(arguments: ["The Bank", "THE BANK", "the\u{A0}bank", "TheBank", "first", "Our Shop", "OUR SHOP"])
    func `attack: registering with the name of an operator's client is refused, with a ticket alone`(
        name: String
    ) async throws {
        var shop = web
        shop.name = "Our Shop"
        _ = try await service.add(shop, id: "shop")
        let ticket = try await service.openRegistration(uses: 1, lifetime: .seconds(60)).token
        var copy = web
        copy.name = name
        let refused = copy
        let unticketed = try await fault { _ = try await service.register(refused, ticket: Secret("guess")) }
        #expect(unticketed == "bad_registration_token", "nobody is told a name without a ticket")
        let code = try await fault { _ = try await service.register(refused, ticket: ticket) }
        #expect(code == "invalid_client_metadata")
        copy.name = "Our Shop at the corner"
        let own = copy
        _ = try await service.register(own, ticket: ticket)
    }

    // T-173, O-087
    @Test func `attack: disabling a client removes its consents, and enabling it does not restore them`()
        async throws
    {
        _ = try await service.add(web, id: "web")
        let (account, now) = (AuthorizationFixture.ada, time.environment().now())
        try await storage.unitOfWork.run { [storage] transaction in
            for client in ["web", "first"] {
                let consent = Consent(
                    account: account,
                    clientID: client,
                    scopes: ScopeSet(["openid"]),
                    resources: [],
                    grantedAt: now,
                    expiresAt: now + .seconds(3600)
                )
                try storage.consents.put(consent, in: transaction)
            }
        }
        _ = try await service.setEnabled("web", true)
        let consents = { [storage] (client: String) in
            try await storage.unitOfWork.read { try storage.consents.find(account, client: client, in: $0) }
        }
        #expect(try await !consents("web").isEmpty)
        _ = try await service.setEnabled("web", false)
        _ = try await service.setEnabled("web", true)
        #expect(try await consents("web").isEmpty)
        #expect(try await !consents("first").isEmpty)
    }

    // T-165
    @Test func `a ticket is for one to a thousand, and for a minute to a month`() async throws {
        for (uses, lifetime) in [(0, 60), (1001, 60), (1, 59), (1, 30 * 86_400 + 1)] {
            let code = try await fault {
                _ = try await service.openRegistration(uses: uses, lifetime: .seconds(lifetime))
            }
            #expect(code == "bad_order")
        }
    }

    @Test func `every change is on record, without secrets`() async throws {
        let ticket = try await service.openRegistration(uses: 1, lifetime: .seconds(60)).token
        let issued = try await service.register(web, ticket: ticket)
        _ = try await service.add(web, id: "web")
        _ = try await service.rotateSecret(of: "web", overlap: .zero)
        _ = try await service.setEnabled("web", false)
        _ = try await service.setEnabled("web", true)
        #expect(
            disk.tables.auditLog.map { "\($0.event) \($0.subject ?? "")" } == [
                "client.registration_opened registration", "client.registered \(issued.client.id)", "client.added web",
                "client.secret_rotated web", "client.disabled web", "client.enabled web",
            ]
        )
    }

    @Test func `a changed client keeps what the change does not name`() async throws {
        var added = web
        added.grants = [.authorizationCode, .refreshToken]
        added.logout = LogoutEndpoint(uri: "https://app.example.com/logout")
        let issued = try await service.add(added, id: "web")
        _ = try await service.setEnabled("web", false)
        var change = ClientChange()
        change.name = "Web"
        change.uris.redirect = ["https://app.example.com/other"]
        change.scopes = ScopeSet(["openid", "orders"])
        change.demands.dpop = true
        change.logout = .endpoint(uri: nil, isSessionRequired: true)
        var expected = issued.client
        expected.name = "Web"
        expected.isEnabled = false
        expected.authorization.redirectURIs = ["https://app.example.com/other"]
        expected.access.scopes = ScopeSet(["openid", "orders"])
        expected.tokens.requiresDPoP = true
        expected.tokens.logout = LogoutEndpoint(uri: "https://app.example.com/logout", isSessionRequired: true)
        #expect(try await service.change("web", change) == expected)
        #expect(directory.client("web") == expected)
        #expect(disk.tables.auditLog.last?.event == "client.changed")
        #expect(disk.tables.auditLog.last?.detail == "name redirect_uris scopes dpop backchannel_logout")
        _ = try await service.setEnabled("web", true)
        #expect(authenticates("web", issued.secret), "its secret stays")
        var without = ClientChange()
        without.logout = ClientChange.Logout.none
        #expect(try await service.change("web", without).tokens.logout == nil)
    }

    @Test func `all faults of a change are told at once, and nothing is changed`() async throws {
        _ = try await service.add(web, id: "web")
        var change = ClientChange()
        change.name = " x"
        change.uris.redirect = ["http://app.example.com/"]
        change.grants = [.refreshToken]
        change.logout = .endpoint(uri: "http://10.0.0.1/logout", isSessionRequired: nil)
        change.unreadable = ["--requires takes one of any."]
        do {
            _ = try await service.change("web", change)
            Issue.record("the change was made")
        } catch let error as ClientError {
            for part in ["--requires", "--name", "Plain http", "--grant", "--backchannel-logout-uri"] {
                #expect(error.message.contains(part), "\(part) in \(error.message)")
            }
        }
        #expect(directory.client("web")?.name == "web")
        #expect(disk.tables.auditLog.map(\.event) == ["client.added"])
        #expect(try await fault { _ = try await service.change("web", ClientChange()) } == "nothing_to_change")
    }

    @Test func `a client of the config is changed and removed in its file alone`() async throws {
        var change = ClientChange()
        change.name = "First"
        do {
            _ = try await service.change("first", change)
            Issue.record("the change was made")
        } catch let error as ClientError {
            #expect(error.code == "client_configured" && error.message.contains("/etc/vestibule.yaml"))
        }
        #expect(try await fault { try await service.remove("first") } == "client_configured")
        #expect(try await fault { _ = try await service.change("nobody", change) } == "client_not_found")
        #expect(try await fault { try await service.remove("nobody") } == "client_not_found")
    }

    @Test func `the operator may give a client that registered itself more than it may ask for`() async throws {
        let ticket = try await service.openRegistration(uses: 1, lifetime: .seconds(60)).token
        let id = try await service.register(web, ticket: ticket).client.id
        var change = ClientChange()
        change.scopes = ScopeSet(["openid", "orders"])
        let changed = try await service.change(id, change)
        #expect(changed.access.scopes.contains("orders") && changed.origin == .registered)
    }

    @Test func `a removed client is gone here and after a restart, and its id is free`() async throws {
        let issued = try await service.add(web, id: "web")
        try await service.remove("web")
        #expect(directory.client("web") == nil && !authenticates("web", issued.secret))
        try await service.load()
        #expect(directory.client("web") == nil)
        #expect(disk.tables.auditLog.map(\.event) == ["client.added", "client.disabled", "client.removed"])
        #expect(try await service.add(web, id: "web").client.isEnabled)
    }

    // T-171
    @Test func `attack: a client whose sessions could not be ended is not removed, and stays disabled`() async throws {
        _ = try await service.add(web, id: "web")
        ending.isFaulty.withLock { $0 = true }
        await #expect(throws: (any Error).self) { try await service.remove("web") }
        #expect(directory.client("web")?.isEnabled == false)
        ending.isFaulty.withLock { $0 = false }
        try await service.remove("web")
        #expect(directory.client("web") == nil)
    }

    @Test func `a change whose unit fails does not reach the directory`() async throws {
        _ = try await service.add(web, id: "web")
        disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { _ = try await service.setEnabled("web", false) }
        #expect(directory.client("web")?.isEnabled == true)
        _ = try await service.setEnabled("web", false)
        #expect(directory.client("web")?.isEnabled == false)
    }

    @Test func `what was read before a change of this daemon does not undo it, and removes what is gone`() {
        // The unit that writes the change has begun, and becomes durable after the clients were read.
        let change = directory.nextChange()
        let before = directory.appliedCount
        directory.put(ClientHarness.client("web", .none, isEnabled: false), as: change)
        directory.replace(
            [ClientHarness.client("web", .none, isEnabled: true), ClientHarness.client("new", .none)],
            readAfter: before
        )
        #expect(directory.client("web")?.isEnabled == false)
        #expect(directory.client("new") != nil)
        directory.replace([ClientHarness.client("web", .none, isEnabled: true)], readAfter: directory.appliedCount)
        #expect(directory.client("web")?.isEnabled == true)
        #expect(directory.client("new") == nil)
    }
}

/// Ends consents, and nothing of other modules.
final class ConsentEnding: ClientEnding {
    private struct UnavailableError: Error {}

    let isFaulty = Mutex(false)
    private let consents: any ConsentStore

    init(consents: any ConsentStore) { self.consents = consents }

    func endAll(ofDisabled client: String, in transaction: borrowing Transaction) throws {
        try consents.removeAll(of: client, in: transaction)
    }

    func settle(ofDisabled client: String) async throws {
        guard !isFaulty.withLock({ $0 }) else { throw UnavailableError() }
    }
}
