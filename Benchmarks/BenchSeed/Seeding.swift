import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Wire

/// Begins logins, several at a time, and opens them if that is wanted.
struct Seeding: Sendable {
    let server: SeedServer
    let email: String
    let opens: Bool

    /// `server`: its address, without a trailing slash.
    init(server: String, email: String, opens: Bool, connections: Int) {
        self.server = SeedServer(url: server, connections: connections)
        self.email = email
        self.opens = opens
    }

    /// Begins `count` logins.
    /// - Returns: Each of them, in no order.
    /// - Throws: ``SeedFault`` for the first answer that is not as it should be.
    func run(count: Int) async throws -> [SeededLogin] {
        try await server.use { client in
            try await server.share(Array(0..<count)) { _ in try await login(client) }
        }
    }

    /// Begins `count` logins, and collects them when all are begun.
    /// - Returns: For each the path of a refresh, and a refresh token.
    /// - Throws: ``SeedFault`` for the first answer that is not as it should be.
    func refreshes(count: Int) async throws -> [String] {
        try await server.use { client in
            let logins = try await server.share(Array(0..<count)) { _ in try await login(client) }
            return try await server.share(logins) { try await "/auth/refresh " + refreshToken(of: $0, client) }
        }
    }

    /// Polls until the tokens are there.
    private func refreshToken(of login: SeededLogin, _ client: HTTPClient) async throws -> String {
        for _ in 0..<600 {
            let body = try await server.get(login.pollPath, cookie: login.cookie, client)
            let answer = try JSONDecoder().decode(PollLoginResponse.self, from: body)
            if let token = answer.refreshToken { return token }
            guard answer.status == .pending else { throw SeedFault(text: "a login ended without tokens") }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw SeedFault(text: "a login was not approved within a minute")
    }

    private func login(_ client: HTTPClient) async throws -> SeededLogin {
        let order = try JSONEncoder().encode(InitiateLoginRequest(email: email))
        let (begun, headers) = try await server.post("/auth/biometric-login/initiate", order, client)
        let answer = try JSONDecoder().decode(InitiateLoginResponse.self, from: begun)
        var scan: String?
        if opens {
            // The address is the public one; only its path is needed here.
            guard let ticket = answer.authUrl.split(separator: "/").last else {
                throw SeedFault(text: "the answer to initiate holds no landing page")
            }
            let (_, opened) = try await server.post("/go/\(ticket)", nil, expecting: .seeOther, client)
            scan = Self.scan(at: opened.first(name: "Location"))
        }
        let cookie = headers.first(name: "Set-Cookie")?.split(separator: ";").first
        return SeededLogin(id: answer.operationId, cookie: String(cookie ?? ""), scan: scan)
    }

    /// The scan whose page that is: the mock has its id in the query, like authID.
    private static func scan(at page: String?) -> String? {
        page.flatMap { URLComponents(string: $0) }?.queryItems?.first { $0.name == "t" }?.value
    }
}

/// A login that was begun.
struct SeededLogin: Sendable {
    let id: String
    /// The binding cookie, as a request brings it.
    let cookie: String
    /// The provider's id of its scan; `nil` for a login that was not opened.
    let scan: String?

    var pollPath: String { "/auth/biometric-login/poll/\(id)" }
    var eventsPath: String { "/auth/biometric-login/events/\(id)" }
    var cancelPath: String { "/auth/biometric-login/cancel/\(id)" }
}
