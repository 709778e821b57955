import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing
import Wire

@testable import Assembly

/// A login that an app has started.
struct StartedLogin: Sendable {
    let response: TestResponse
    let answer: InitiateLoginResponse
    /// The binding cookie's name and value.
    let cookie: String
    let ticket: String

    var id: String { answer.operationId }
    var pollPath: String { "/auth/biometric-login/poll/\(id)" }
    var ackPath: String { "/auth/biometric-login/ack/\(id)" }
    var cancelPath: String { "/auth/biometric-login/cancel/\(id)" }
    var landingPath: String { "/go/\(ticket)" }
    /// As the service knows it.
    var publicID: Digest256 { UUIDBits(id).map { Digest256(sha256: $0) } ?? .zero }
    /// The headers of the app that keeps cookies.
    var bound: HTTPFields { .cookies(cookie) }
}

extension Harness {
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// RFC 7636 appendix B.
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let proof: HTTPFields = [.codeVerifier: verifier]

    /// Starts a login; `isChallenged` with the code challenge above.
    @discardableResult
    func start(
        _ email: String = "ada@example.com",
        isChallenged: Bool = false,
        client: String? = nil,
        with headers: HTTPFields = [:]
    ) async throws -> StartedLogin {
        var body = "{\"email\":\"\(email)\""
        if isChallenged { body += ",\"codeChallenge\":\"\(Self.challenge)\",\"codeChallengeMethod\":\"S256\"" }
        if let client { body += ",\"clientId\":\"\(client)\"" }
        let response = try await post(Self.initiatePath, body + "}", headers)
        try #require(response.status == .ok, "\(response.text)")
        let answer = try response.decode(InitiateLoginResponse.self)
        let ticket = try #require(answer.authIdUrl.split(separator: "/").last)
        return StartedLogin(
            response: response,
            answer: answer,
            cookie: try #require(response.cookie("vst_op_")),
            ticket: String(ticket)
        )
    }

    /// What a browser does that opens the link and sends the page's form.
    @discardableResult
    func open(_ login: StartedLogin, browser: String? = nil) async throws -> TestResponse {
        let headers: HTTPFields = browser.map { .cookies($0) } ?? [:]
        return try await send(.post, login.landingPath, headers.adding(.fetchSite, "same-origin"))
    }

    /// The provider says that of its newest scan, and the watcher hears of it.
    func judge(_ status: ScanStatus) async throws {
        provider.answer(try #require(provider.newest), status)
        await pass(.seconds(6))
    }

    /// Opens the link, and has the scan accepted.
    func approve(_ login: StartedLogin) async throws {
        let response = try await open(login)
        try #require(response.status == .seeOther, "\(response.text)")
        try await judge(.approved)
    }

    /// Lets time pass, and the watcher do what is due by then.
    func pass(_ duration: Duration) async {
        time.advance(by: duration)
        for watcher in watchers {
            for check in watcher.tick() { await watcher.check(check) }
            await daemons.deliver()
        }
    }

    func poll(_ login: StartedLogin, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.get, login.pollPath, headers)
    }

    /// What a poll says, its status and hint or code in one word.
    func word(_ login: StartedLogin, _ headers: HTTPFields = [:]) async throws -> String {
        let answer = try await poll(login, headers).decode(PollLoginResponse.self)
        return switch answer.status {
        case .pending: answer.hint ?? "-"
        case .failed: answer.code ?? "-"
        case .completed: answer.tokens == nil ? "delivered" : "completed"
        }
    }

    /// The operation as the cache has it.
    func operation(_ login: StartedLogin) throws -> Operations.Operation {
        let cards = daemons.compositions.compactMap { $0.service.cache.card(login.publicID)?.operation }
        return try #require(cards.max { $0.seq < $1.seq })
    }
}
