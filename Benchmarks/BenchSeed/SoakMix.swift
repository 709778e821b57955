import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Wire

/// The mix, and how many calls it has made.
actor SoakMix {
    private let server: SeedServer
    private let email: String
    private let manyAddresses: Bool
    private(set) var count = (calls: 0, errors: 0)

    init(server: SeedServer, email: String, manyAddresses: Bool) {
        self.server = server
        self.email = email
        self.manyAddresses = manyAddresses
    }

    /// Does the step of that number; nothing that fails ends the soak.
    ///
    /// - Returns: How many calls it made.
    nonisolated func step(_ number: Int, _ client: HTTPClient) async -> Int {
        let server = manyAddresses ? server.from(Self.address(number)) : server
        do {
            let calls =
                switch number % 10 {
                case 0..<4: try await login(server, client)
                case 4, 5: try await abandonedStart(number, server, client)
                case 6: try await unknownPolls(server, client)
                case 7: try await passkeyOptions(number, server, client)
                case 8: try await pages(server, client)
                default: try await rubbish(number, server, client)
                }
            await note(calls: calls, error: nil)
            return calls
        } catch {
            await note(calls: 1, error: error)
            return 1
        }
    }

    /// One of 16 million that belong to nobody outside (RFC 1918 §3).
    private static func address(_ number: Int) -> String {
        "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
    }

    private func note(calls: Int, error: (any Error)?) {
        count.calls += calls
        guard let error else { return }
        count.errors += 1
        // The first few say what is wrong; a thousand would say nothing more.
        if count.errors <= 3 { print("failed: \((error as? SeedError)?.text ?? "\(error)")") }
    }

    /// A login from start to sign-out: nine calls or some more.
    private nonisolated func login(_ server: SeedServer, _ client: HTTPClient) async throws -> Int {
        let verifier = CodeVerifier()
        var start = InitiateLoginRequest(email: email)
        start.codeChallenge = verifier.challenge
        start.codeChallengeMethod = "S256"
        let login = try await server.begin(start, provenBy: verifier, opens: true, client)
        let tokens = try await server.collect(login, client)
        _ = try await server.get("/auth/me", headers: ["Authorization": "Bearer \(tokens.accessToken)"], client)
        // The published face-login app's client keeps its refresh token, so the same one is good again.
        for _ in 0..<3 { _ = try await server.post("/auth/refresh", nil, token: tokens.refreshToken, client) }
        _ = try await server.post("/auth/logout", nil, token: tokens.accessToken, client)
        return 9
    }

    private nonisolated func abandonedStart(
        _ number: Int,
        _ server: SeedServer,
        _ client: HTTPClient
    ) async throws -> Int {
        let address = number % 3 == 0 ? email : "nobody\(number)@example.com"
        let login = try await server.begin(InitiateLoginRequest(email: address), opens: false, client)
        for _ in 0..<4 { _ = try await server.get(login.pollPath, headers: login.proof, client) }
        return 5
    }

    private nonisolated func unknownPolls(_ server: SeedServer, _ client: HTTPClient) async throws -> Int {
        for _ in 0..<4 {
            let path = "/auth/biometric-login/poll/\(UUID().uuidString.lowercased())"
            try await server.ask(HTTPClientRequest(url: server.url + path), client)
        }
        return 4
    }

    private nonisolated func passkeyOptions(
        _ number: Int,
        _ server: SeedServer,
        _ client: HTTPClient
    ) async throws -> Int {
        for part in 0..<2 {
            var request = HTTPClientRequest(url: server.url + "/api/generate-authentication-options")
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(Data(#"{"username":"soak\#(number)-\#(part)"}"#.utf8))
            try await server.ask(request, client)
        }
        return 2
    }

    private nonisolated func pages(_ server: SeedServer, _ client: HTTPClient) async throws -> Int {
        for path in ["/", "/login.html", "/.well-known/openid-configuration", "/.well-known/jwks.json"] {
            try await server.ask(HTTPClientRequest(url: server.url + path), client)
        }
        return 4
    }

    private nonisolated func rubbish(_ number: Int, _ server: SeedServer, _ client: HTTPClient) async throws -> Int {
        for part in 0..<3 {
            var request = HTTPClientRequest(url: server.url + "/auth/refresh")
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            request.headers.add(name: "X-Client-Id", value: "soak\(number)")
            request.body = .bytes(Data(#"{"refreshToken":"\#(number).\#(part).x"}"#.utf8))
            try await server.ask(request, client)
        }
        return 3
    }
}

extension SeedServer {
    /// Sends a request whose answer may be anything but a fault of the server.
    func ask(_ request: HTTPClientRequest, _ client: HTTPClient) async throws {
        let response = try await client.execute(marked(request), timeout: .seconds(30))
        _ = try await response.body.collect(upTo: 1024 * 1024)
        guard response.status.code < 500 else {
            throw SeedError(text: "\(request.url) was answered with \(response.status)")
        }
    }
}
