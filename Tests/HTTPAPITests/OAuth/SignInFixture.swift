import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import OAuth
import Operations
import Settings
import SoftwareAuthenticator
import Synchronization
import Testing

@testable import Assembly
@testable import HTTPAPI

/// A browser that a client has sent to the sign-in page, with its cookies.
final class SentBrowser: Sendable {
    let fixture: SignInFixture
    let id: String
    private let held: Mutex<[String: String]>

    init(_ fixture: SignInFixture, id: String, jar: [String: String]) {
        self.fixture = fixture
        self.id = id
        held = Mutex(jar)
    }

    var page: String { "/oauth/sign-in/\(id)" }
    var jar: [String: String] { held.withLock { $0 } }
    var cookies: String { jar.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ") }
    /// What stands for the session on the site's pages.
    var session: String? { jar["yapt.sid"].map { "yapt.sid=\($0)" } }

    /// Keeps what an answer sets, as browsers do.
    func take(_ answer: TestResponse) {
        for line in answer.headers[values: .setCookie] {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 && !pair[1].isEmpty ? String(pair[1]) : nil
            held.withLock { $0[String(pair[0])] = value }
        }
    }

    func inject(_ name: String, _ value: String) { held.withLock { $0[name] = value } }

    /// Loads the page, or one below it.
    @discardableResult
    func load(_ below: String = "", _ headers: HTTPFields = [:]) async throws -> TestResponse {
        let answer = try await fixture.send(.get, page + below, headers.adding(.cookie, cookies))
        take(answer)
        return answer
    }

    /// Sends a form of the page.
    @discardableResult
    func press(_ below: String, _ fields: String = "", _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers.adding(.cookie, cookies)
        if headers[.fetchSite] == nil, headers[.origin] == nil { headers[.fetchSite] = "same-origin" }
        headers[.contentType] = "application/x-www-form-urlencoded"
        let answer = try await fixture.send(.post, page + below, headers, body: fields)
        take(answer)
        return answer
    }

    /// Begins a scan; returns the page that waits for it.
    func startFace(_ email: String = "ada@example.com", mode: String? = nil) async throws -> TestResponse {
        let escaped = email.replacing("@", with: "%40")
        let started = try await press("/face", "email=\(escaped)" + (mode.map { "&mode=\($0)" } ?? ""))
        try #require(started.status == .seeOther, "\(started.text)")
        #expect(started.headers[.location] == "wait")
        return try await load("/wait")
    }

    /// What the page's link is for: opens the scan, in whatever browser, and has it accepted.
    func scan(_ waiting: TestResponse) async throws {
        let ticket = try #require(waiting.text.firstMatch(of: #/\/go\/([\w-]{43})"/#)).1
        let opened = try await fixture.harness.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
        try #require(opened.status == .seeOther, "\(opened.text)")
        try await fixture.harness.judge(.approved)
    }

    /// What the script does with a passkey.
    func show(_ credential: SoftwareAuthenticator.Credential) async throws -> TestResponse {
        let options = try await press("/passkey/options")
        try #require(options.status == .ok, "\(options.text)")
        return try await send(passkey: try fixture.harness.browser.get(options.text, with: credential))
    }

    func send(passkey answer: String) async throws -> TestResponse {
        let headers: HTTPFields = [
            .fetchSite: "same-origin", .contentType: "application/json", .cookie: cookies,
        ]
        let response = try await fixture.send(.post, page + "/passkey", headers, body: answer)
        take(response)
        return response
    }

    /// Loads the page, which has nothing left to ask; returns what the client gets.
    func comeBack(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String: String] {
        try SignInFixture.answer(in: try await load(), sourceLocation: sourceLocation)
    }
}

/// The sign-in page over a bench: the page alone, with requests that were found good already.
struct SignInFixture: Sendable {
    static let callback = "https://app.example.com/callback?tenant=7"

    let harness: Harness
    let api: PublicAPI
    private let client: any TestClientProtocol

    /// Runs `body` with a client of the operator's own (`own`), and one of somebody else's (`strange`).
    ///
    /// Further clients of the operator take any way (`any`), a passkey or a mailed code (`mailed`), a passkey alone
    /// (`keyed`) or a face alone (`faced`). One is in the config too (`mwsim`), and one is a page of the server's own.
    static func run(
        storage: HarnessStorage = .usual,
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @Sendable (SignInFixture) async throws -> Void
    ) async throws {
        try await Harness.run(.router, storage: storage, change) { harness in
            let clients = OAuthClientDirectory(configured: [
                client("own", "Our App", .config), client("strange", "Their App", .registered),
                client("any", "Any App", .config, requires: .any),
                client("mailed", "Mail App", .config, requires: .any, ways: [.passkey, .mail]),
                client("keyed", "Key App", .config, requires: .passkey),
                client("faced", "Face App", .config, requires: .face),
                client("mwsim", "mwsim", .config), PageSignIn.Page.device.client(site: harness.settings.ownerName),
            ])
            let api = harness.api(of: clients, environment: harness.time.environment(seed: 7))
            let application = harness.application(api.signInPage.routes, of: api)
            try await application.test(.router) { client in
                try await body(SignInFixture(harness: harness, api: api, client: client))
            }
        }
    }

    var service: AuthorizationService { api.services.oauth.authorization.service }

    private static func client(
        _ id: String,
        _ name: String,
        _ origin: OAuthClient.Origin,
        requires: RequiredProof = .faceOrPasskey,
        ways: Set<SignInWay> = []
    ) -> OAuthClient {
        OAuthClient(
            id: id,
            name: name,
            origin: origin,
            authentication: .none,
            access: OAuthClient.Access(
                grants: [.authorizationCode, .refreshToken],
                scopes: ScopeSet(["openid", "profile", "email", "offline_access", "calendar.read"]),
                audience: id
            ),
            authorization: OAuthClient.AuthorizationRules(redirectURIs: [callback], requires: requires, ways: ways)
        )
    }

    /// A request that a client has sent a browser with.
    func request(
        of client: String = "own",
        scopes: Set<String> = ["openid", "profile"],
        prompts: Set<AuthorizationRequest.Prompt> = [],
        contextClass: ContextClassReference? = nil,
        hint: String? = nil,
        hintedAccount: AccountID? = nil,
        uiLocales: String? = nil
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            clientID: client,
            redirectURI: Self.callback,
            namesRedirectURI: true,
            responseMode: .query,
            state: "of the app",
            scopes: ScopeSet(scopes),
            resources: [],
            codeChallenge: Digest256(sha256: Harness.verifier),
            nonce: nil,
            prompts: prompts,
            maxAge: nil,
            contextClass: contextClass,
            isContextClassEssential: false,
            loginHint: hint,
            hintedAccount: hintedAccount,
            proofKey: nil,
            uiLocales: uiLocales
        )
    }

    /// A browser that has come with that request; `jar`: the cookies that it has from before.
    func browser(_ request: AuthorizationRequest? = nil, jar: [String: String] = [:]) async throws -> SentBrowser {
        let cookie = harness.composition.environment.newSecret()
        let id = try await service.begin(request ?? self.request(), browser: cookie)
        let own = jar.merging([CompanionCookies.interactionName: cookie.expose()]) { _, new in new }
        return SentBrowser(self, id: id.expose(), jar: own)
    }

    @discardableResult
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> TestResponse {
        try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    /// What an answer brings back to the client.
    static func answer(
        in response: TestResponse,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String: String] {
        #expect((300..<400).contains(response.status.code), "\(response.text)", sourceLocation: sourceLocation)
        return try parameters(of: try #require(response.headers[.location], sourceLocation: sourceLocation))
    }

    static func parameters(
        of address: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String: String] {
        #expect(address.hasPrefix(callback + "&"), "\(address)", sourceLocation: sourceLocation)
        let items = try #require(URLComponents(string: address)?.queryItems)
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
