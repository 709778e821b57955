import Kernel
import ScriptedServer
import Synchronization
import Testing

@testable import Outbound

/// Requests to endpoints that other parties have chosen: the address is checked that is connected to.
struct EndpointHTTPTests {
    /// Answers of a resolver that may change.
    private final class Resolver: Sendable {
        private let answers: Mutex<[[String]?]>
        private let asked = Mutex<[String]>([])

        init(_ answers: [String]?...) { self.answers = Mutex(answers) }

        var names: [String] { asked.withLock { $0 } }

        /// The next answer; the last one stays.
        func lookup(_ host: String) -> [String]? {
            asked.withLock { $0.append(host) }
            return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? nil }
        }
    }

    /// A client that may connect to 127.0.0.1 alone, besides public addresses.
    private static func client(_ resolver: Resolver, connect: Duration = .seconds(60)) throws -> EndpointHTTP {
        EndpointHTTP(
            OutboundLimits(connectTimeout: connect),
            rule: AddressRule(allowing: [try AddressBlock("127.0.0.1")]),
            clock: LiveClock()
        ) { host, _ in resolver.lookup(host) }
    }

    private static func request(
        _ url: String,
        timeout: Duration = .seconds(60),
        limit: Int = 1024
    ) -> OutboundRequest {
        OutboundRequest(.post, .url(url), body: Array("x=y".utf8), timeout: timeout, maxResponseBytes: limit)
    }

    /// The URL of the server under another name.
    private static func url(_ server: ScriptedServer, _ host: String = "app.example.com") -> String {
        server.url.replacing("127.0.0.1", with: host) + "/logout"
    }

    private func failure(_ client: EndpointHTTP, _ request: OutboundRequest) async -> OutboundError? {
        do throws(OutboundError) {
            _ = try await client.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a request goes to the address that was checked, under the name of the endpoint`() async throws {
        let resolver = Resolver(["127.0.0.1"])
        try await ScriptedServer.run { _ in
            .json("{}")
        } during: { server in
            let answer = try await Self.client(resolver).send(Self.request(Self.url(server)))
            #expect(answer.status == 200)
            let seen = try #require(server.requests.first)
            #expect(seen.header("Host")?.hasPrefix("app.example.com:") == true)
            #expect(seen.path == "/logout" && seen.text == "x=y")
            #expect(resolver.names == ["app.example.com"], "one look-up, and the library makes none")
        }
    }

    // O-127
    @Test func `attack: a name that means another address at the second look-up is not followed there`() async throws {
        let resolver = Resolver(["127.0.0.1"], ["169.254.169.254"], ["10.0.0.1", "127.0.0.2"])
        try await ScriptedServer.run { _ in
            .json("{}")
        } during: { server in
            let client = try Self.client(resolver)
            _ = try await client.send(Self.request(Self.url(server)))
            for _ in 1...2 {
                guard case .connect(let cause) = await failure(client, Self.request(Self.url(server))) else {
                    Issue.record("a connection was made")
                    return
                }
                #expect(cause.contains("no public address"))
            }
            // A connection of the first request would be to the address that was checked then.
            #expect(server.requests.count == 1 && server.connections == 1)
            #expect(resolver.names.count == 3)
        }
    }

    @Test(arguments: ["127.0.0.2", "localhost", "127.1", "2130706433", "0x7f000002", "[::1]", "[::ffff:127.0.0.2]"])
    func `attack: another spelling of this machine's address is refused`(host: String) async throws {
        try await ScriptedServer.run { _ in
            .json("{}")
        } during: { server in
            // As the system resolves such names; a literal is not looked up.
            let client = try Self.client(Resolver(["127.0.0.2", "::1"]))
            let failure = await failure(client, Self.request(Self.url(server, host)))
            guard case .connect = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(server.connections == 0)
        }
    }

    @Test func `of several addresses those that are not allowed are never tried`() async throws {
        // Nothing listens at the first two as seen from here, but that is never found out.
        let resolver = Resolver(["10.0.0.1", "fe80::1%eth0", "127.0.0.1"])
        try await ScriptedServer.run { _ in
            .json("{}")
        } during: { server in
            let answer = try await Self.client(resolver).send(Self.request(Self.url(server)))
            #expect(answer.status == 200)
        }
    }

    @Test func `an address that refuses connections gives way to the next one`() async throws {
        try await ScriptedServer.run { _ in
            .json("{}")
        } during: { server in
            let client = EndpointHTTP(
                OutboundLimits(connectTimeout: .seconds(60)),
                rule: AddressRule(allowing: [try AddressBlock("127.0.0.0/8")]),
                clock: LiveClock()
            ) { _, _ in ["127.0.0.9", "127.0.0.1"] }
            #expect(try await client.send(Self.request(Self.url(server))).status == 200)
        }
    }

    @Test func `a request that was sent is not sent to the next address`() async throws {
        try await ScriptedServer.run { _ in
            .reset
        } during: { server in
            let client = try Self.client(Resolver(["127.0.0.1", "127.0.0.1"]))
            guard case .transport = await failure(client, Self.request(Self.url(server))) else {
                Issue.record("another failure")
                return
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func `attack: a redirect to the metadata service is not followed`() async throws {
        let resolver = Resolver(["127.0.0.1"])
        try await ScriptedServer.run { _ in
            .answer(302, ["Location": "http://169.254.169.254/latest/meta-data/"])
        } during: { server in
            let failure = try await failure(Self.client(resolver), Self.request(Self.url(server)))
            #expect(failure == .redirected(status: 302))
            #expect(server.requests.count == 1 && resolver.names == ["app.example.com"])
        }
    }

    @Test func `attack: a slow body ends in time, and an endless one at its limit`() async throws {
        let resolver = Resolver(["127.0.0.1"])
        try await ScriptedServer.run { request in
            request.text == "x=y" ? .drip(size: 1000, every: .milliseconds(50)) : .flood
        } during: { server in
            let client = try Self.client(resolver)
            #expect(await failure(client, Self.request(Self.url(server), timeout: .seconds(2))) == .timeout)
            var endless = Self.request(Self.url(server), limit: 4096)
            endless.body = Array("flood".utf8)
            #expect(await failure(client, endless) == .tooLarge(status: 200, limit: 4096))
        }
    }

    @Test func `attack: a certificate of nobody is refused, although the address is allowed`() async throws {
        try await ScriptedServer.run(at: .loopbackTLS) { _ in
            .json("{}")
        } during: { server in
            let failure = try await failure(Self.client(Resolver(["127.0.0.1"])), Self.request(Self.url(server)))
            guard case .connect(let cause) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(cause.contains("TLS"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: [[String]?.none, []])
    func `a name without an address fails as one that can't be reached`(answer: [String]?) async throws {
        let client = try Self.client(Resolver(answer))
        guard case .connect = await failure(client, Self.request("https://nobody.example.com/")) else {
            Issue.record("another failure")
            return
        }
    }

    @Test(arguments: ["https://a@app.example.com/", "unix://x", "https://app.example.com%2e/"])
    func `attack: a URL that two readers may read differently is not looked up`(url: String) async throws {
        let resolver = Resolver(["127.0.0.1"])
        guard case .connect = await failure(try Self.client(resolver), Self.request(url)) else {
            Issue.record("another failure")
            return
        }
        #expect(resolver.names.isEmpty)
    }
}
