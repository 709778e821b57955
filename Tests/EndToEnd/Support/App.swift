import Crypto
import Foundation
import Kernel
import Outbound
import Wire

/// A client app that speaks the wire by hand.
struct App: Sendable {
    let web: WebClient
    let url: String
    /// The addresses of further daemons: each request goes to any of them.
    var others: [String] = []
    /// `/api` for the published app.
    var prefix = ""
    var userAgent = "ExampleApp/1.0"
    /// Whether it gives cookies back.
    var keepsCookies = true
    /// Further headers that it sends with each request.
    var headers: [String: String] = [:]

    /// A login that it started.
    struct Login: Sendable {
        let id: String
        /// The path of the landing page.
        let page: String
        /// `name=value` each.
        let cookies: [String]
        let verifier: String?
    }

    /// Starts a login.
    func initiate(_ email: String, withVerifier: Bool = false) async throws -> Login {
        let verifier = withVerifier ? Self.newVerifier() : nil
        let request = InitiateLoginRequest(
            email: email,
            codeChallenge: verifier.map { Base64URL.encode(Array(SHA256.hash(data: Data($0.utf8)))) },
            codeChallengeMethod: verifier == nil ? nil : "S256"
        )
        let body = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        let reply = try await web.send(.post, address("initiate"), sent(nil), json: body)
        guard reply.status == 200 else { throw ExpectationError("initiate: \(reply)") }
        let answer = try reply.json(InitiateLoginResponse.self)
        guard let page = URL(string: answer.authIdUrl)?.path() else { throw ExpectationError("initiate: \(reply)") }
        return Login(id: answer.operationId, page: page, cookies: reply.cookies, verifier: verifier)
    }

    /// Presses the button of the landing page; returns the status of the answer.
    @discardableResult
    func open(_ login: Login) async throws -> Int {
        try await web.send(.post, base + login.page, ["User-Agent": "ExampleBrowser/1.0"]).status
    }

    /// Starts a login and presses the button, which has to lead to the provider.
    func begin(_ email: String, withVerifier: Bool = false) async throws -> Login {
        let login = try await initiate(email, withVerifier: withVerifier)
        let status = try await open(login)
        guard status == 303 else { throw ExpectationError("the landing page of \(email) answered \(status)") }
        return login
    }

    /// Asks once; the answer as it came.
    func ask(_ login: Login, wait: Int? = nil) async throws -> WebClient.Reply {
        let query = wait.map { "?wait=\($0)" } ?? ""
        return try await web.send(.get, address("poll/\(login.id)") + query, sent(login), within: .seconds(90))
    }

    /// Asks once.
    func poll(_ login: Login, wait: Int? = nil) async throws -> PollLoginResponse {
        let reply = try await ask(login, wait: wait)
        guard reply.status == 200 else { throw ExpectationError("poll: \(reply)") }
        return try reply.json()
    }

    /// Asks until the login is over.
    func follow(_ login: Login, within limit: Duration = .seconds(60)) async throws -> PollLoginResponse {
        try await eventually("an end of the login", within: limit, every: .milliseconds(100)) {
            let answer = try await poll(login)
            return answer.status == .pending ? nil : answer
        }
    }

    /// Asks until the login is over, each time for as long as nothing changes.
    func park(_ login: Login, within limit: Duration = .seconds(60)) async throws -> PollLoginResponse {
        try await eventually("an end of the login", within: limit, every: .zero) {
            let answer = try await poll(login, wait: 20)
            return answer.status == .pending ? nil : answer
        }
    }

    /// Asks until the login shows that hint.
    func waitFor(hint: String, _ login: Login, within limit: Duration = .seconds(60)) async throws {
        try await eventually("the hint \(hint)", within: limit) {
            let answer = try await poll(login)
            guard answer.status == .pending else { throw ExpectationError("no hint \(hint) but \(answer)") }
            return answer.hint == hint
        }
    }

    func acknowledge(_ login: Login) async throws -> WebClient.Reply {
        try await web.send(.post, address("ack/\(login.id)"), sent(login))
    }

    func cancel(_ login: Login) async throws -> WebClient.Reply {
        try await web.send(.post, address("cancel/\(login.id)"), sent(login))
    }

    /// The header fields of a request about that login.
    func sent(_ login: Login?) -> [String: String] {
        var sent = headers.merging(["User-Agent": userAgent]) { $1 }
        if let verifier = login?.verifier { sent["X-Code-Verifier"] = verifier }
        if keepsCookies, let cookies = login?.cookies, !cookies.isEmpty {
            sent["Cookie"] = cookies.joined(separator: "; ")
        }
        return sent
    }

    /// The address of the daemon that gets the next request.
    var base: String { others.randomElement().map { Bool.random() && Bool.random() ? url : $0 } ?? url }

    func address(_ path: String) -> String { "\(base)\(prefix)/auth/biometric-login/\(path)" }

    private static func newVerifier() -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255) })
    }
}
