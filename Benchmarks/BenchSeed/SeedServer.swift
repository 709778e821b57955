import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The daemon that load is prepared for, and how it is spoken to.
struct SeedServer: Sendable {
    /// Without a trailing slash.
    let url: String
    /// Requests at the same time.
    let connections: Int
    /// For whom it is asked, as a proxy would say; `nil` without a proxy.
    private(set) var forwardedFor: String?

    init(url: String, connections: Int) {
        self.url = url
        self.connections = connections
    }

    /// The same, asked as if by a proxy for that address.
    func from(_ address: String) -> SeedServer {
        var server = self
        server.forwardedFor = address
        return server
    }

    /// The request with whom it is for.
    func marked(_ request: HTTPClientRequest) -> HTTPClientRequest {
        guard let forwardedFor else { return request }
        var request = request
        request.headers.add(name: "X-Forwarded-For", value: forwardedFor)
        return request
    }

    private static let timeout = TimeAmount.seconds(30)
    private static let largestAnswer = 64 * 1024

    func use<Value: Sendable>(_ body: (HTTPClient) async throws -> Value) async throws -> Value {
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

    /// Does `body` for each, on so many connections at a time; the values are in no order.
    func share<Item: Sendable, Value: Sendable>(
        _ items: [Item],
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

    func get(_ path: String, headers: HTTPHeaders, _ client: HTTPClient) async throws -> Data {
        var request = HTTPClientRequest(url: url + path)
        request.headers = headers
        return try await send(request, expecting: .ok, client).0
    }

    func post(
        _ path: String,
        _ json: Data?,
        token: String? = nil,
        headers: HTTPHeaders = [:],
        expecting status: HTTPResponseStatus = .ok,
        _ client: HTTPClient
    ) async throws -> (Data, HTTPHeaders) {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers = headers
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: json))
        }
        return try await send(request, expecting: status, client)
    }

    /// POSTs a form; the body of the answer.
    func post(_ path: String, form: String, _ client: HTTPClient) async throws -> Data {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: form))
        return try await send(request, expecting: .ok, client).0
    }

    /// Where a GET is sent on to.
    func redirect(of path: String, headers: HTTPHeaders, _ client: HTTPClient) async throws -> String {
        var request = HTTPClientRequest(url: url + path)
        request.headers = headers
        let (_, answered) = try await send(request, expecting: .seeOther, client)
        guard let address = answered.first(name: "Location") else {
            throw SeedError(text: "\(path) was sent on to nowhere")
        }
        return address
    }

    /// Where a POST of a form is sent on to, by a server that redirects with 302.
    func redirect(of form: String, sentTo path: String, _ client: HTTPClient) async throws -> String {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: form))
        let (_, answered) = try await send(request, expecting: .found, client)
        guard let address = answered.first(name: "Location") else {
            throw SeedError(text: "\(path) was sent on to nowhere")
        }
        return address
    }

    private func send(
        _ request: HTTPClientRequest,
        expecting status: HTTPResponseStatus,
        _ client: HTTPClient
    ) async throws -> (Data, HTTPHeaders) {
        let response = try await client.execute(marked(request), timeout: Self.timeout)
        let body = try await response.body.collect(upTo: Self.largestAnswer)
        guard response.status == status else {
            let text = String(buffer: body)
            throw SeedError(text: "\(request.method) \(request.url) was answered with \(response.status): \(text)")
        }
        return (Data(body.readableBytesView), response.headers)
    }
}

/// Why there is nothing to measure.
struct SeedError: Error {
    let text: String
}
