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
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let logins = try await share(count, among: connections, client)
            try await client.shutdown()
            return logins
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func share(_ count: Int, among workers: Int, _ client: HTTPClient) async throws -> [SeededLogin] {
        try await withThrowingTaskGroup(of: [SeededLogin].self) { group in
            for worker in 0..<workers {
                let part = count / workers + (worker < count % workers ? 1 : 0)
                group.addTask {
                    var logins: [SeededLogin] = []
                    for _ in 0..<part { logins.append(try await login(client)) }
                    return logins
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
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
