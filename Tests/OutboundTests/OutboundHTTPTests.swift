import Kernel
import Outbound
import ScriptedServer
import Testing

struct OutboundHTTPTests {
    private let clock = LiveClock()
    /// Limits for the busiest machine; a test about a time limit sets its own.
    private let patient = OutboundLimits(connectTimeout: .seconds(60))

    private func get(
        _ url: String,
        timeout: Duration = .seconds(60),
        limit: Int = 1024,
        headers: [OutboundHeader] = []
    ) -> OutboundRequest {
        OutboundRequest(.get, .url(url), headers: headers, timeout: timeout, maxResponseBytes: limit)
    }

    private func failure(_ request: OutboundRequest) async throws -> OutboundError? {
        try await OutboundHTTP.use(patient, clock: clock) { http in
            do throws(OutboundError) {
                _ = try await http.send(request)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func `an answer comes with status, headers and body`() async throws {
        try await ScriptedServer.run { _ in
            .answer(418, ["X-Kind": "teapot"], body: "short and stout")
        } during: { server in
            let answer = try await OutboundHTTP.use(patient, clock: clock) { try await $0.send(get(server.url + "/a")) }
            #expect(answer.status == 418)
            #expect(answer.header("x-kind") == "teapot")
            #expect(String(decoding: answer.body, as: UTF8.self) == "short and stout")
        }
    }

    @Test(arguments: OutboundMethod.allCases)
    func `method, query, headers and body arrive as given`(_ method: OutboundMethod) async throws {
        try await ScriptedServer.run { _ in
            .json("{}")
        } during: { server in
            let request = OutboundRequest(
                method,
                .url(server.url + "/a%2Fb?q=1%2B1"),
                headers: [OutboundHeader("X-One", "1")],
                body: Array("hello".utf8),
                timeout: .seconds(600),
                maxResponseBytes: 10
            )
            _ = try await OutboundHTTP.use(patient, clock: clock) { try await $0.send(request) }
            let seen = try #require(server.requests.first)
            #expect(seen.method == method.rawValue)
            #expect(seen.path == "/a%2Fb?q=1%2B1")
            #expect(seen.header("X-One") == "1")
            #expect(seen.header("User-Agent") == "vestibule")
            #expect(seen.text == "hello")
        }
    }

    // T-049
    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is reported and not followed`(_ status: Int) async throws {
        try await ScriptedServer.run { request in
            request.path == "/elsewhere" ? .json("{}") : .answer(status, ["Location": "/elsewhere"])
        } during: { server in
            let found = try await failure(get(server.url + "/start"))
            #expect(found == .redirected(status: status))
            #expect(server.requests.map(\.path) == ["/start"])
        }
    }

    @Test func `a body of exactly the limit is read`() async throws {
        let body = String(repeating: "x", count: 1024)
        try await ScriptedServer.run { _ in
            .answer(200, body: body)
        } during: { server in
            let answer = try await OutboundHTTP.use(patient, clock: clock) { try await $0.send(get(server.url)) }
            #expect(answer.body.count == 1024)
        }
    }

    // T-252
    @Test func `a body of one byte more is refused`() async throws {
        let body = String(repeating: "x", count: 1025)
        try await ScriptedServer.run { _ in
            .answer(503, body: body)
        } during: { server in
            let found = try await failure(get(server.url))
            #expect(found == .tooLarge(status: 503, limit: 1024))
        }
    }

    // T-252
    @Test func `an endless body is cut off`() async throws {
        try await ScriptedServer.run { _ in
            .flood
        } during: { server in
            let found = try await failure(get(server.url))
            #expect(found == .tooLarge(status: 200, limit: 1024))
        }
    }

    // T-252
    @Test func `a compressed body is handed over as it is`() async throws {
        try await ScriptedServer.run { _ in
            .answer(200, ["Content-Encoding": "gzip"], body: "not gzip")
        } during: { server in
            let answer = try await OutboundHTTP.use(patient, clock: clock) { try await $0.send(get(server.url)) }
            #expect(String(decoding: answer.body, as: UTF8.self) == "not gzip")
            #expect(server.requests.first?.header("Accept-Encoding") == nil)
        }
    }

    // T-252
    @Test(.timeLimit(.minutes(5))) func `a server that says nothing is given up in time`() async throws {
        try await ScriptedServer.run { _ in
            .hang
        } during: { server in
            let found = try await failure(get(server.url, timeout: .milliseconds(300)))
            #expect(found == .timeout)
        }
    }

    // T-252
    @Test(.timeLimit(.minutes(5))) func `a body that trickles in is given up in time`() async throws {
        try await ScriptedServer.run { _ in
            .drip(size: 1000, every: .milliseconds(20))
        } during: { server in
            let found = try await failure(get(server.url, timeout: .milliseconds(300)))
            #expect(found == .timeout)
        }
    }

    @Test func `a broken connection is a transport failure`() async throws {
        let broken: [ScriptedReply] = [
            .reset, .raw("", thenClose: true),
            .raw("this is not HTTP\r\n\r\n", thenClose: true),
        ]
        for reply in broken {
            try await ScriptedServer.run { _ in
                reply
            } during: { server in
                let found = try await failure(get(server.url))
                guard case .transport = found else {
                    Issue.record("\(reply) gave \(String(describing: found))")
                    return
                }
            }
        }
    }

    @Test(arguments: ["Content-Length: 100\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "X: "])
    func `an answer that ends early counts as none`(_ answer: String) async throws {
        try await ScriptedServer.run { _ in
            .raw("HTTP/1.1 200 OK\r\n\(answer)", thenClose: true)
        } during: { server in
            let found = try await failure(get(server.url))
            #expect(found == .transport(cause: "the answer ended early"))
        }
    }

    // T-252
    @Test func `an endless header section is refused`() async throws {
        let field = "X-Long: " + String(repeating: "y", count: 900) + "\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 400) + "\r\n"
        try await ScriptedServer.run { _ in
            .raw(head, thenClose: false)
        } during: { server in
            let found = try await failure(get(server.url))
            guard case .transport = found else {
                Issue.record("got \(String(describing: found))")
                return
            }
        }
    }

    @Test func `nobody listening is a connect failure, at once`() async throws {
        let found = try await SilentPort.hold { url in
            try await OutboundHTTP.use(patient, clock: clock) { http in
                await #expect(throws: OutboundError.self) { try await http.send(get(url)) }
            }
        }
        guard case .connect(let cause) = found else {
            Issue.record("got \(String(describing: found))")
            return
        }
        #expect(cause.hasPrefix("no program listens at 127.0.0.1:") && cause.hasSuffix(" (connection refused)"))
        // The library's own words name system calls and numbers.
        #expect(!cause.contains("errno"))
    }

    @Test func `a name that nobody knows is told as such`() async throws {
        // RFC 6761 §6.4: never a name of anybody.
        let found = try await failure(get("http://nowhere.invalid/"))
        #expect(found == .connect(cause: "the host's name is unknown (nowhere.invalid:80)"))
    }

    // T-049
    @Test func `a certificate that nobody trusts is refused before anything is sent`() async throws {
        try await ScriptedServer.run(at: .loopbackTLS) { _ in
            .json("{}")
        } during: { server in
            let found = try await failure(get(server.url))
            let place = String(server.url.dropFirst("https://".count))
            let cause = "TLS: the certificate of \(place) is not trusted (CERTIFICATE_VERIFY_FAILED)"
            #expect(found == .connect(cause: cause))
            #expect(server.requests.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a connection that does not come to stand is given up in its own time`()
        async throws
    {
        // The server accepts and says nothing, so that the TLS handshake never ends.
        try await ScriptedServer.run { _ in
            .hang
        } during: { server in
            let url = server.url.replacing("http://", with: "https://")
            let limits = OutboundLimits(connectTimeout: .milliseconds(300))
            let found = try await OutboundHTTP.use(limits, clock: clock) { http in
                await #expect(throws: OutboundError.self) { try await http.send(get(url, timeout: .seconds(600))) }
            }
            guard case .connect(let cause) = found else {
                Issue.record("got \(String(describing: found))")
                return
            }
            #expect(cause.contains("does not answer in time"))
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a cancelled caller comes back at once`() async throws {
        try await ScriptedServer.run { _ in
            .hang
        } during: { server in
            try await OutboundHTTP.use(patient, clock: clock) { http in
                let call = Task { try await http.send(get(server.url, timeout: .seconds(600))) }
                while server.requests.isEmpty { try await clock.sleep(until: clock.now + .milliseconds(5)) }
                call.cancel()
                await #expect(throws: OutboundError.cancelled) { try await call.value }
            }
        }
    }

    @Test func `shutting down ends requests in progress, and later ones`() async throws {
        try await ScriptedServer.run { _ in
            .hang
        } during: { server in
            let http = OutboundHTTP(patient, clock: clock)
            let call = Task { try await http.send(get(server.url, timeout: .seconds(600))) }
            while server.requests.isEmpty { try await clock.sleep(until: clock.now + .milliseconds(5)) }
            await http.shutdown()
            await #expect(throws: OutboundError.cancelled) { try await call.value }
            await #expect(throws: OutboundError.cancelled) { try await http.send(get(server.url)) }
            await http.shutdown()
        }
    }

    @Test func `connections to a host are bounded and used again`() async throws {
        try await ScriptedServer.run { _ in
            .late(.milliseconds(20), .json("{}"))
        } during: { server in
            let limits = OutboundLimits(connectTimeout: .seconds(60), connectionsPerHost: 3)
            try await OutboundHTTP.use(limits, clock: clock) { http in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<30 { group.addTask { _ = try await http.send(get(server.url)) } }
                    try await group.waitForAll()
                }
            }
            #expect(server.requests.count == 30)
            #expect((1...3).contains(server.connections))
        }
    }
}
