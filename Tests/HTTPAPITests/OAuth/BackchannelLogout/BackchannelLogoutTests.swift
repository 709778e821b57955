import Accounts
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Kernel
import Logging
import MemoryStore
import Operations
import ScriptedServer
import Sessions
import Testing
import Wire

@testable import Admin
@testable import Assembly
@testable import HTTPAPI
@testable import OAuth
@testable import Settings
@testable import SignIn
@testable import Storage

/// Clients are told of the end of their sessions, on every way that a session ends (Back-Channel Logout §2.5).
struct BackchannelLogoutTests {
    private static let endpoints = ["bbms", "app"].map { (client: $0, uri: "https://\($0).example.com/logout") }

    /// Gives the site's client an endpoint.
    private static func prepare(_ settings: inout Settings) {
        guard let index = settings.clients.firstIndex(where: { $0.id == "bbms" }) else { return }
        var oauth = OAuthClientSettings()
        oauth.client.tokens.logout = LogoutEndpoint(uri: endpoints[0].uri)
        settings.clients[index].oauth = oauth
    }

    /// Adds the client of the fixture's grants, with that endpoint.
    private static func addClient(_ harness: Harness, uri: String = endpoints[1].uri) async throws {
        var order = AddClient.Metadata()
        order.id = RemedyFixture.client
        order.name = "App"
        order.redirectURIs = ["https://app.example.com/"]
        order.grants = ["authorization_code"]
        order.logoutURI = uri
        _ = try await harness.composition.administration.execute(AddClient(metadata: order))
    }

    /// The ended sessions in the database, of the clients that have an endpoint.
    private static func ended(_ harness: Harness) async throws -> Set<String> {
        let sql = "SELECT id FROM sessions WHERE revoked_at IS NOT NULL AND client IN ('bbms', 'app')"
        return Set(try await harness.database.pool.read { try String.fetchAll($0, sql: sql) })
    }

    /// The sessions in the database that are not revoked, of the clients that have an endpoint.
    private static func open(_ harness: Harness) async throws -> Set<String> {
        let sql = "SELECT id FROM sessions WHERE revoked_at IS NULL AND client IN ('bbms', 'app')"
        return Set(try await harness.database.pool.read { try String.fetchAll($0, sql: sql) })
    }

    private static func deliver(_ harness: Harness) async -> RecordingLogouts {
        let recording = RecordingLogouts()
        let worker = harness.composition.logoutWorker(sender: recording)
        while await worker.deliverDue() > 0 {}
        return recording
    }

    /// Checks that the clients were told of exactly these sessions, each of its own.
    private static func expect(
        _ sent: [(token: String, endpoint: String)],
        tell sessions: Set<String>,
        _ harness: Harness
    ) async throws {
        var told: [LogoutRecipient.Told] = []
        for (client, uri) in endpoints {
            let recipient = try await LogoutRecipient(client, of: harness)
            let own = sent.filter { $0.endpoint == uri }
            told += try own.map { try recipient.check($0.token) }
            for other in endpoints where other.client != client {
                let stranger = try await LogoutRecipient(other.client, of: harness)
                for (token, _) in own {
                    #expect(throws: LogoutRecipient.RefusedError.self) { try stranger.check(token) }
                }
            }
        }
        #expect(told.count == sent.count && Set(told.map(\.session)) == sessions)
        #expect(Set(told).count == sessions.count, "each session once")
    }

    // O-122, O-124
    @Test(arguments: Remedy.allCases)
    func `each remedy tells the clients of every session that it ends, and of no other`(
        _ remedy: Remedy
    ) async throws {
        try await Harness.run(storage: .sqlite, Self.prepare) { harness in
            let fixture = try await RemedyFixture(harness)
            try await Self.addClient(harness)
            let before = try await Self.ended(harness)
            _ = await Self.deliver(harness)
            if remedy == .clientDisabled {
                _ = try await harness.composition.administration.execute(DisableClient(id: RemedyFixture.client))
            } else {
                try await fixture.apply(remedy)
            }
            let ended = try await Self.ended(harness).subtracting(before)
            #expect(ended.isEmpty == (remedy == .notMeOnPage), "the page's answer ends a login alone")
            let sent = await Self.deliver(harness).sent
            try await Self.expect(sent, tell: ended, harness)
        }
    }

    /// Ways that are no remedy: the person's own sign-outs, and tokens that two parties hold.
    enum Way: String, CaseIterable, Sendable {
        case signedOut, byRefreshToken, ofBrowser, reused
    }

    // O-122
    @Test(arguments: Way.allCases)
    func `a sign-out, and the end of a session whose token was used twice, are told`(_ way: Way) async throws {
        try await Harness.run(storage: .sqlite, Self.prepare) { harness in
            let fixture = try await RemedyFixture(harness)
            try await Self.addClient(harness)
            let before = try await Self.ended(harness)
            _ = await Self.deliver(harness)
            let composition = harness.composition
            switch way {
            case .signedOut:
                let answer = try await harness.send(.post, "/auth/logout", fixture.owner.signedIn.bearer)
                #expect(answer.status == .ok, "\(answer.text)")
            case .byRefreshToken:
                let token = try await harness.signIn().tokens.refreshToken
                #expect(try await harness.send(.post, "/auth/logout", .bearing(token)).status == .ok)
            case .ofBrowser:
                let signOut = SignOut(
                    sessions: composition.sessions,
                    ending: composition.ending,
                    browsers: composition.passkeys.browsers,
                    unitOfWork: composition.unitOfWork
                )
                let sessions = try await [fixture.owner.session, fixture.owner.grant].asyncCompactMap {
                    try await composition.sessions.find($0)
                }
                try await signOut.end(cookie: nil, and: sessions)
            case .reused: try await composition.door.end(fixture.owner.grant, because: .refreshReuse)
            }
            let ended = try await Self.ended(harness).subtracting(before)
            #expect(!ended.isEmpty)
            try await Self.expect(await Self.deliver(harness).sent, tell: ended, harness)
        }
    }

    // O-122
    @Test func `a session that expires is told at the next sweep, once, and long before its row is deleted`()
        async throws
    {
        try await Harness.run(
            storage: .sqlite,
            { settings in
                Self.prepare(&settings)
                settings.retention.sessions = .days(400)
            }
        ) { harness in
            let fixture = try await RemedyFixture(harness)
            try await Self.addClient(harness)
            let retention = harness.composition.retention
            _ = try await retention.sweep(at: harness.time.wall)
            _ = await Self.deliver(harness)
            let open = try await Self.open(harness)
            #expect(open.isSuperset(of: [fixture.owner.grant.description, fixture.other.grant.description]))
            let last = try await harness.database.pool.read {
                try Int64.fetchOne($0, sql: "SELECT MAX(expires_at) FROM refresh_tokens")
            }
            let end = Instant(milliseconds: try #require(last)) + SessionExpiries.margin
            harness.time.advance(by: end - harness.time.wall)
            _ = try await retention.sweep(at: harness.time.wall)
            #expect(try await Self.open(harness) == open, "their rows are kept")
            try await Self.expect(await Self.deliver(harness).sent, tell: open, harness)
            _ = try await retention.sweep(at: harness.time.wall)
            // Sessions that have expired are revoked with the others, and not told again.
            try await fixture.apply(.accountDisabled)
            #expect(try await Self.open(harness).isEmpty)
            let again = await Self.deliver(harness).sent
            #expect(again.isEmpty)
        }
    }

    @Test func `only one file of the program revokes sessions, and only one tells it to`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../Sources")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var (writers, callers) = (Set<String>(), Set<String>())
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            if text.contains("UPDATE sessions SET revoked_at") { writers.insert(file.lastPathComponent) }
            let isCaller = text.contains(#/any SessionStore\b/#) && text.contains(#/store\.revoke(All)?\(/#)
            if isCaller { callers.insert(file.lastPathComponent) }
        }
        #expect(writers == ["SQLSessionStore.swift"])
        #expect(callers == ["SessionService.swift"])
    }

    @Test func `a session that is ended twice is told once, and the end of another client's is told to nobody`()
        async throws
    {
        try await Harness.run(storage: .sqlite) { harness in
            let fixture = try await RemedyFixture(harness)
            try await Self.addClient(harness)
            try await fixture.apply(.sessionsRevoked)
            try await fixture.apply(.accountDisabled)
            let sent = await Self.deliver(harness).sent
            #expect(sent.count == 2 && sent.allSatisfy { $0.endpoint == Self.endpoints[1].uri })
        }
    }

    // O-122, T-173
    @Test func `an ending that a crash has cut off is told by the next start`() async throws {
        try await Harness.run(storage: .sqlite, Self.prepare) { harness in
            _ = try await RemedyFixture(harness)
            try await Self.addClient(harness)
            let composition = harness.composition
            let noted = try await composition.unitOfWork.run { [ending = composition.ending] in
                try ending.end(.clientSignedOut, ofClient: RemedyFixture.client, in: $0)
            }
            // A process that begins knows no client of the database yet.
            composition.oauth.directory.replace([], readAfter: .max)
            try #require(composition.oauth.directory.client(RemedyFixture.client) == nil)
            try await composition.resumeEndings(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let sent = await Self.deliver(harness).sent
            #expect(noted == 2 && sent.map(\.endpoint) == [Self.endpoints[1].uri, Self.endpoints[1].uri])
        }
    }

    // O-125
    @Test func `the sid is what the id token says, and its subject too`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            let claims = try TokenFixture.claims(tokens.idToken)
            let composition = fixture.harness.composition
            let session = try #require((claims["sid"] as? String).flatMap { SessionID(parsing: $0) })
            let found = try #require(try await composition.sessions.find(session))
            let notice = LogoutNotice(
                session: session,
                account: found.account,
                client: found.client,
                endpoint: "",
                algorithm: nil,
                createdAt: composition.environment.now()
            )
            let token = try composition.tokens.logout(notice, by: nil).expose()
            let told = try await LogoutRecipient("app", of: fixture.harness).check(token)
            #expect(told.session == claims["sid"] as? String && told.account == claims["sub"] as? String)
        }
    }

    @Test func `a client's server is told over the network, and told again while it is out of order`() async throws {
        try await ScriptedServer.run { request in
            request.path == "/logout" ? .answer(200) : .answer(503)
        } during: { server in
            try await Harness.run(storage: .sqlite) { harness in
                let fixture = try await RemedyFixture(harness)
                try await Self.addClient(harness, uri: server.url + "/broken")
                let administration = harness.composition.administration
                #expect(try await administration.execute(EndClientSessions(id: RemedyFixture.client)) == 2)
                let worker = harness.composition.logoutWorker()
                #expect(await worker.deliverDue() == 2)
                let view = try await administration.execute(ShowClient(id: RemedyFixture.client))
                #expect(view.logout?.waiting == 2 && view.logout?.lastFailure == "HTTP 503")
                #expect(view.lines.contains { $0.contains("2 waiting") && $0.contains("HTTP 503") })
                var change = SetClient.Change()
                change.logout.uri = server.url + "/logout"
                _ = try await administration.execute(SetClient(id: RemedyFixture.client, change: change))
                harness.time.advance(by: .seconds(60))
                // One at a time until the first arrives: the client's last try failed.
                #expect(await worker.deliverDue() == 1)
                #expect(await worker.deliverDue() == 1)
                let recipient = try await LogoutRecipient(RemedyFixture.client, of: harness)
                let told = try server.requests.filter { $0.path == "/logout" }.map { request in
                    #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
                    #expect(request.text.hasPrefix("logout_token="))
                    return try recipient.check(String(request.text.dropFirst("logout_token=".count)))
                }
                let grants = [fixture.owner.grant.description, fixture.other.grant.description]
                #expect(told.map(\.session).sorted() == grants.sorted())
                #expect(try await administration.execute(ShowClient(id: RemedyFixture.client)).logout?.waiting == 0)
            }
        }
    }
}

extension Sequence {
    fileprivate func asyncCompactMap<Value>(_ body: (Element) async throws -> Value?) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { if let value = try await body(element) { values.append(value) } }
        return values
    }
}
