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
    /// - Returns: The path to poll each of them with.
    /// - Throws: ``SeedFault`` for the first answer that is not as it should be.
    func run(count: Int) async throws -> [String] {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let paths = try await share(count, among: connections, client)
            try await client.shutdown()
            return paths
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func share(_ count: Int, among workers: Int, _ client: HTTPClient) async throws -> [String] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for worker in 0..<workers {
                let part = count / workers + (worker < count % workers ? 1 : 0)
                group.addTask {
                    var paths: [String] = []
                    for _ in 0..<part { paths.append(try await login(client)) }
                    return paths
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func login(_ client: HTTPClient) async throws -> String {
        let order = try JSONEncoder().encode(InitiateLoginRequest(email: email))
        let begun = try await post("/auth/biometric-login/initiate", order, expecting: .ok, client)
        let answer = try JSONDecoder().decode(InitiateLoginResponse.self, from: begun)
        if opens {
            // The address is the public one; only its path is needed here.
            guard let ticket = answer.authUrl.split(separator: "/").last else {
                throw SeedFault(text: "the answer to initiate holds no landing page")
            }
            _ = try await post("/go/\(ticket)", nil, expecting: .seeOther, client)
        }
        return "/auth/biometric-login/poll/\(answer.operationId)"
    }

    private func post(
        _ path: String,
        _ json: Data?,
        expecting status: HTTPResponseStatus,
        _ client: HTTPClient
    ) async throws -> Data {
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
        return Data(body.readableBytesView)
    }
}

/// Why there is nothing to measure.
struct SeedFault: Error {
    let text: String
}
