import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Wire

/// Begins logins, several at a time, and opens them if that is wanted.
struct Seeding: Sendable {
    /// Without a trailing slash.
    let server: String
    let email: String
    let opens: Bool
    let connections: Int

    private static let timeout = TimeAmount.seconds(30)
    private static let largestAnswer = 64 * 1024

    /// Begins `count` logins.
    /// - Returns: Each of them, in no order.
    /// - Throws: ``SeedFault`` for the first answer that is not as it should be.
    func run(count: Int) async throws -> [SeededLogin] {
        try await use { client in
            try await share(Array(0..<count), client) { _ in try await login(client) }
        }
    }

    /// Begins `count` logins, and collects them when all are begun.
    /// - Returns: For each the path of a refresh, and a refresh token.
    /// - Throws: ``SeedFault`` for the first answer that is not as it should be.
    func refreshes(count: Int) async throws -> [String] {
        try await use { client in
            let logins = try await share(Array(0..<count), client) { _ in try await login(client) }
            return try await share(logins, client) { try await "/auth/refresh " + refreshToken(of: $0, client) }
        }
    }

    private func use<Value: Sendable>(_ body: (HTTPClient) async throws -> Value) async throws -> Value {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(client)
            try await client.shutdown()
            return value
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// Does `body` for each, on so many connections at a time.
    private func share<Item: Sendable, Value: Sendable>(
        _ items: [Item],
        _ client: HTTPClient,
        _ body: @escaping @Sendable (Item) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: [Value].self) { [connections] group in
            for worker in 0..<connections {
                let part = stride(from: worker, to: items.count, by: connections).map { items[$0] }
                group.addTask {
                    var values: [Value] = []
                    for item in part { values.append(try await body(item)) }
                    return values
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Polls until the tokens are there.
    private func refreshToken(of login: SeededLogin, _ client: HTTPClient) async throws -> String {
        for _ in 0..<600 {
            var request = HTTPClientRequest(url: server + login.pollPath)
            request.headers.add(name: "Cookie", value: login.cookie)
            let response = try await client.execute(request, timeout: Self.timeout)
            let body = try await response.body.collect(upTo: Self.largestAnswer)
            let answer = try JSONDecoder().decode(PollLoginResponse.self, from: Data(body.readableBytesView))
            if let token = answer.refreshToken { return token }
            guard answer.status == .pending else { throw SeedFault(text: "a login ended without tokens") }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw SeedFault(text: "a login was not approved within a minute")
    }

    private func login(_ client: HTTPClient) async throws -> SeededLogin {
        let order = try JSONEncoder().encode(InitiateLoginRequest(email: email))
        let (begun, headers) = try await post("/auth/biometric-login/initiate", order, expecting: .ok, client)
        let answer = try JSONDecoder().decode(InitiateLoginResponse.self, from: begun)
        if opens {
            // The address is the public one; only its path is needed here.
            guard let ticket = answer.authUrl.split(separator: "/").last else {
                throw SeedFault(text: "the answer to initiate holds no landing page")
            }
            _ = try await post("/go/\(ticket)", nil, expecting: .seeOther, client)
        }
        let cookie = headers.first(name: "Set-Cookie")?.split(separator: ";").first
        return SeededLogin(id: answer.operationId, cookie: String(cookie ?? ""))
    }

    private func post(
        _ path: String,
        _ json: Data?,
        expecting status: HTTPResponseStatus,
        _ client: HTTPClient
    ) async throws -> (Data, HTTPHeaders) {
        var request = HTTPClientRequest(url: server + path)
        request.method = .POST
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: json))
        }
        let response = try await client.execute(request, timeout: Self.timeout)
        let body = try await response.body.collect(upTo: Self.largestAnswer)
        guard response.status == status else {
            throw SeedFault(text: "POST \(path) was answered with \(response.status): \(String(buffer: body))")
        }
        return (Data(body.readableBytesView), response.headers)
    }
}

/// A login that was begun.
struct SeededLogin: Sendable {
    let id: String
    /// The binding cookie, as a request brings it.
    let cookie: String

    var pollPath: String { "/auth/biometric-login/poll/\(id)" }
    var eventsPath: String { "/auth/biometric-login/events/\(id)" }
    var cancelPath: String { "/auth/biometric-login/cancel/\(id)" }
}

/// Why there is nothing to measure.
struct SeedFault: Error {
    let text: String
}
