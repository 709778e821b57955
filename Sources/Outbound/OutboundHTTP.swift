// Outbound: all outgoing requests: HTTP and mail.
// Owns the HTTP client, SMTP, the outbox, and the form of mails.
// Follows no redirect, and knows no provider's format.
// Survives servers that hang, drip or send without end: every call is bounded in time and size.
// Secrets go into headers or bodies, never into a URL.

import AsyncHTTPClient
package import Kernel
import NIOCore
import NIOHTTP1
import NIOSSL

/// The client for outgoing HTTP/1.1 requests, bounded in time and size.
///
/// It follows no redirect and decompresses no body. It reads at most the allowed size and always returns in time.
/// Certificates are verified.
///
/// Await ``shutdown()`` before the last reference is released. ``use(_:clock:_:)`` calls it by itself.
package final class OutboundHTTP: Sendable {
    private let client: HTTPClient
    private let clock: any MonotonicClock

    package init(_ limits: OutboundLimits, clock: any MonotonicClock) {
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(limits))
        self.clock = clock
    }

    /// Runs `body` with a client that is shut down afterwards: for commands, which send a few requests and end.
    package static func use<Value: Sendable>(
        _ limits: OutboundLimits = OutboundLimits(),
        clock: any MonotonicClock,
        _ body: (OutboundHTTP) async throws -> Value
    ) async throws -> Value {
        let http = OutboundHTTP(limits, clock: clock)
        do {
            let value = try await body(http)
            await http.shutdown()
            return value
        } catch {
            await http.shutdown()
            throw error
        }
    }

    /// Sends a request once and reads the whole response, whatever its status; throws for redirects.
    package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        guard let address = request.target.address else { throw .transport(cause: "the URL is not valid") }
        let deadline = clock.now + request.timeout
        // The library's own deadline covers only the head of the response. A body that trickles in would outlast it.
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask { await self.exchange(request, address) }
            group.addTask { await self.outcomeWithoutAnswer(at: deadline) }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        return try outcome.get()
    }

    /// Ends requests in progress with ``OutboundError/cancelled`` and closes all connections.
    ///
    /// Further calls do nothing.
    package func shutdown() async {
        // The only error is "already shut down", which is the wanted state.
        try? await client.shutdown()
    }

    private typealias Outcome = Result<OutboundResponse, OutboundError>

    private func outcomeWithoutAnswer(at deadline: Uptime) async -> Outcome {
        do {
            try await clock.sleep(until: deadline)
            return .failure(.timeout)
        } catch {
            return .failure(.cancelled)
        }
    }

    private func exchange(_ request: OutboundRequest, _ address: String) async -> Outcome {
        do {
            let answer = try await client.execute(
                HTTPClientRequest(request, address),
                timeout: .nanoseconds(request.timeout.wholeNanoseconds)
            )
            let status = Int(answer.status.code)
            guard !(300..<400).contains(status) else { return .failure(.redirected(status: status)) }
            return .success(try await Self.read(answer, upTo: request.maxResponseBytes))
        } catch {
            return .failure(OutboundError(error, to: request.target))
        }
    }

    private static func read(_ answer: HTTPClientResponse, upTo limit: Int) async throws -> OutboundResponse {
        let status = Int(answer.status.code)
        do {
            let body = try await answer.body.collect(upTo: limit)
            return OutboundResponse(
                status: status,
                headers: answer.headers.map { OutboundHeader($0.name, $0.value) },
                body: Array(body.readableBytesView)
            )
        } catch is NIOTooManyBytesError {
            throw OutboundError.tooLarge(status: status, limit: limit)
        }
    }
}

extension HTTPClient.Configuration {
    fileprivate init(_ limits: OutboundLimits) {
        self.init(
            redirectConfiguration: .disallow,
            timeout: Timeout(connect: .nanoseconds(limits.connectTimeout.wholeNanoseconds)),
            connectionPool: ConnectionPool(
                idleTimeout: .nanoseconds(limits.idleTimeout.wholeNanoseconds),
                concurrentHTTP1ConnectionsPerHostSoftLimit: limits.connectionsPerHost
            ),
            decompression: .disabled
        )
        httpVersion = .http1Only
        // The caller decides when to try again. A retry here would hide an outage until the time is up.
        connectionPool.retryConnectionEstablishment = false
        if !limits.verifiesCertificates {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            tlsConfiguration = tls
        }
        if let pinned = limits.pinned {
            dnsOverride = pinned.overrides
            http1_1ConnectionDebugInitializer = { pinned.check($0) }
        }
        // A trace span would contain whole URLs, which may hold secrets.
        tracing.tracer = nil
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: OutboundRequest, _ address: String) {
        self.init(url: address)
        method = HTTPMethod(rawValue: request.method.rawValue)
        for header in request.headers { headers.add(name: header.name, value: header.value) }
        if case .unixSocket = request.target, !headers.contains(name: "Host") {
            // RFC 9112 §3.2 requires a Host header, and the library adds none for a socket.
            headers.add(name: "Host", value: "localhost")
        }
        if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: "vestibule") }
        if !request.body.isEmpty { body = .bytes(ByteBuffer(bytes: request.body)) }
    }
}
