import Foundation
import ScriptedServer
import Testing

@testable import VestibuleClient

/// Over a real connection to this machine: what a scripted transport can't show.
@Suite struct URLSessionTransportTests {
    private func send(
        to server: LoopbackServer,
        _ path: String = "/",
        method: ClientRequest.Method = .get,
        headers: [String: String] = [:],
        body: Data? = nil,
        timeout: Duration = .seconds(60)
    ) async throws -> ClientResponse {
        let url = try server.url(path)
        let request = ClientRequest(method: method, url: url, headers: headers, body: body, timeout: timeout)
        return try await URLSessionTransport().send(request)
    }

    @Test func `method, headers and body arrive, and the answer comes back`() async throws {
        let server = try LoopbackServer { _ in
            .init(["HTTP/1.1 429 Too Many Requests", "Retry-After: 7", "X-Request-Id: r-1"], body: #"{"code":"x"}"#)
        }
        defer { server.stop() }
        let answer = try await send(
            to: server,
            "/api/x?wait=3",
            method: .post,
            headers: ["Cookie": "a=1; b=2", "X-Code-Verifier": "v", "Content-Type": "application/json"],
            body: Data(#"{"email":"ada@example.com"}"#.utf8)
        )
        #expect(answer.status == 429)
        #expect(answer.headers["retry-after"] == "7")
        #expect(answer.headers["x-request-id"] == "r-1")
        #expect(answer.body == Data(#"{"code":"x"}"#.utf8))
        let request = try #require(server.requests.all.first)
        #expect(request.hasPrefix("POST /api/x?wait=3 HTTP/1.1\r\n"))
        #expect(request.contains("Cookie: a=1; b=2\r\n"))
        #expect(request.contains("X-Code-Verifier: v\r\n"))
        #expect(request.hasSuffix(#"{"email":"ada@example.com"}"#))
    }

    @Test func `several Set-Cookie fields all reach the jar, and none is sent unasked`() async throws {
        let server = try LoopbackServer { _ in
            .init(
                [
                    "HTTP/1.1 200 OK",
                    "Set-Cookie: vst_device=d; Path=/; HttpOnly; Expires=Wed, 09 Jun 2032 10:18:14 GMT",
                    "Set-Cookie: vst_op=o; Path=/; Expires=Wed, 09 Jun 2032 10:18:14 GMT",
                    "Set-Cookie: third=t; Path=/",
                ],
                body: "{}"
            )
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        let url = try server.url("/")
        let request = ClientRequest(method: .get, url: url, headers: [:], body: nil, timeout: .seconds(60))
        let answer = try await transport.send(request)
        var jar = CookieJar()
        jar.accept(setCookie: answer.headers["set-cookie"] ?? "", from: url, now: VirtualTime.epoch)
        #expect(jar.header(for: url, now: VirtualTime.epoch) == "vst_device=d; vst_op=o; third=t")
        _ = try await transport.send(request)
        #expect(server.requests.all.count == 2)
        #expect(server.requests.all.allSatisfy { !$0.lowercased().contains("cookie:") })
    }

    @Test func `a redirect is an answer and not followed`() async throws {
        let server = try LoopbackServer { request in
            request.hasPrefix("GET /away")
                ? .init(["HTTP/1.1 200 OK"]) : .init(["HTTP/1.1 302 Found", "Location: /away"])
        }
        defer { server.stop() }
        #expect(try await send(to: server).status == 302)
        #expect(server.requests.all.count == 1)
    }

    @Test(arguments: [true, false])
    func `an answer over the bound is refused, announced or not`(announced: Bool) async throws {
        let body = String(repeating: "x", count: ClientResponse.largestBody + 1)
        let server = try LoopbackServer { _ in
            announced
                ? .init(["HTTP/1.1 200 OK"], body: body)
                : .init(pieces: ["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body], pause: .zero)
        }
        defer { server.stop() }
        await #expect(throws: NetworkError.answerTooLarge) { try await send(to: server) }
    }

    @Test func `an answer of just the bound is taken`() async throws {
        let body = String(repeating: "x", count: ClientResponse.largestBody)
        let server = try LoopbackServer { _ in .init(["HTTP/1.1 200 OK"], body: body) }
        defer { server.stop() }
        #expect(try await send(to: server).body.count == ClientResponse.largestBody)
    }

    @Test func `a server that drips its answer is cut off in time`() async throws {
        let server = try LoopbackServer { _ in
            .init(
                pieces: ["HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"] + Array(repeating: "x", count: 2400),
                pause: .milliseconds(50)
            )
        }
        defer { server.stop() }
        // Left alone, the server would end the answer early after two minutes, which is another fault.
        await #expect(throws: NetworkError.timedOut) { try await send(to: server, timeout: .milliseconds(300)) }
    }

    @Test func `a cancelled task doesn't wait for the answer`() async throws {
        // It answers far later than a busy machine needs to hear of the cancellation.
        let server = try LoopbackServer { _ in .init(pieces: ["HTTP/1.1 200 OK\r\n\r\n"], pause: .seconds(300)) }
        defer { server.stop() }
        let task = Task { try await send(to: server, timeout: .seconds(600)) }
        while server.requests.all.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: NetworkError.interrupted) { try await task.value }
    }

    @Test func `a task that was cancelled before doesn't hang`() async throws {
        let server = try LoopbackServer { _ in .init(["HTTP/1.1 200 OK"]) }
        defer { server.stop() }
        for _ in 0..<20 {
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await send(to: server)
            }
            task.cancel()
            await #expect(throws: NetworkError.interrupted) { try await task.value }
        }
    }

    @Test func `nobody listening is unreachable`() async throws {
        let fault: NetworkError? = try await SilentPort.hold { address in
            let url = try #require(URL(string: address + "/"))
            let request = ClientRequest(method: .get, url: url, headers: [:], body: nil, timeout: .seconds(60))
            return await #expect(throws: NetworkError.self) { try await URLSessionTransport().send(request) }
        }
        guard case .unreachable = fault else {
            Issue.record("another fault: \(String(describing: fault))")
            return
        }
    }

    @Test func `a whole login over real connections`() async throws {
        let server = try LoopbackServer { request in
            if request.hasPrefix("POST /api/auth/biometric-login/initiate ") {
                return .init(
                    ["HTTP/1.1 200 OK"],
                    body: Answers.initiate(interval: 1, page: "http://127.0.0.1:8080/go/t")
                )
            }
            if request.hasPrefix("GET /api/auth/biometric-login/poll/") {
                return .init(
                    ["HTTP/1.1 200 OK", "Set-Cookie: vst_device=d; Path=/; HttpOnly; Max-Age=60"],
                    body: Answers.completed
                )
            }
            return .init(["HTTP/1.1 200 OK"], body: Answers.receipt)
        }
        defer { server.stop() }
        let store = MemoryTokenStore()
        let login = try FaceLogin(server: server.url("/api/"), store: store, options: FaceLogin.Options(longPoll: 5))
        let signedIn = try await login.signIn(email: "ada@example.com", open: { _ in true }, progress: { _ in })
        #expect(await store.load().tokens == signedIn.tokens)
        #expect(server.requests.all.count == 3)
        let acknowledgement = try #require(server.requests.all.last)
        #expect(acknowledgement.hasPrefix("POST /api/auth/biometric-login/ack/\(Answers.operation) "))
        #expect(acknowledgement.contains("Cookie: vst_device=d\r\n"))
    }
}
