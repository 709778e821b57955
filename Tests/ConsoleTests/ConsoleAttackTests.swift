import HTTPTypes
import Kernel
import MemoryStore
import Testing

@testable import Console

/// What others on the machine, and other pages of the browser, can do at a console's port: nothing.
struct ConsoleAttackTests {
    /// Paths that exist, and paths that don't.
    private static let paths = [
        "/", "/logins", "/people", "/settings", "/style.css", "/console.js", "/icon.svg", "/events?page=%2F",
        "/apple-touch-icon.png", "/confirm", "/commands",
        "/commands/accounts/list?run=yes", "/none", "/enter/", "/enter/guess", "/../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
    ]

    private static func nothing() async throws -> ConsoleFixture.Reply {
        try await ConsoleFixture().send(.get, "/none")
    }

    // T-274
    @Test(arguments: paths)
    func `attack: another user of the machine gets one constant answer`(_ path: String) async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let nothing = try await Self.nothing()
        #expect(nothing.status == 404)
        #expect(try await fixture.send(.get, path) == nothing, "no cookie")
        #expect(try await fixture.send(.get, path, cookie: "guess") == nothing, "a wrong cookie")
        #expect(try await fixture.send(.post, path, body: "token=x") == nothing)
        let cookie = try await fixture.enter()
        let more = [("Cookie", "\(fixture.access.cookieName)=\(cookie); \(fixture.access.cookieName)=\(cookie)")]
        #expect(try await fixture.send(.get, path, more: more) == nothing, "a planted second cookie")
        #expect(fixture.socket.sent.isEmpty)
    }

    @Test(arguments: [
        "evil.example.com:8099", "localhost:8099", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8099.evil.example.com",
    ])
    func `attack: a foreign name that leads here is refused (DNS rebinding)`(_ host: String) async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let nothing = try await Self.nothing()
        #expect(try await fixture.send(.get, "/enter/\(fixture.link.expose())", host: host) == nothing)
        let cookie = try await fixture.enter()
        #expect(try await fixture.send(.get, "/", cookie: cookie, host: host) == nothing)
        #expect(try await fixture.send(.get, "/", cookie: cookie).status == 200)
    }

    @Test func `attack: a page on another port of the machine can neither read nor write`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let nothing = try await Self.nothing()
        let other = "http://127.0.0.1:9000"
        for site in ["same-site", "cross-site", "", "Same-Origin"] {
            #expect(try await fixture.send(.get, "/", cookie: cookie, site: site) == nothing, "\(site)")
        }
        #expect(try await fixture.send(.get, "/", cookie: cookie, site: "same-origin", origin: other) == nothing)
        let form = "token=\(fixture.access.token(for: cookie))&p_account=a"
        let path = "/commands/accounts/disable"
        for origin in [other, "null", "http://localhost:8099", "https://127.0.0.1:8099"] {
            let reply = try await fixture.send(.post, path, cookie: cookie, body: form, origin: origin)
            #expect(reply == nothing, "\(origin)")
        }
        #expect(try await fixture.send(.post, path, cookie: cookie, body: form, site: "same-site") == nothing)
        #expect(try await fixture.send(.post, path, cookie: cookie, body: form, origin: "") == nothing, "no origin")
        #expect(fixture.socket.sent.isEmpty)
        #expect(try await fixture.send(.post, path, cookie: cookie, body: form).status == 200)
    }

    // RFC 6265 §8.5: a cookie goes to all ports of its host, so that a server of another user would get it.
    @Test func `attack: a server on another port is given no cookie, as nobody knows its path`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let other = ConsoleFixture(seed: 2)
        #expect(fixture.access.root.count == 33 && fixture.access.root != other.access.root, "128 bits")
        let cookie = try await fixture.enter()
        let nothing = try await Self.nothing()
        for path in Self.paths + [fixture.access.root, other.access.root + "/", fixture.access.root + "x/"] {
            let reply = try await fixture.send(.get, path, cookie: cookie, isBelowRoot: false)
            #expect(reply == nothing, "\(path)")
        }
        #expect(fixture.socket.sent.isEmpty)
        let page = try await fixture.send(.get, "/", cookie: cookie)
        #expect(page.status == 200 && !page.body.contains(cookie))
    }

    @Test func `every address of a page is below the path of the cookie`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let root = fixture.access.root
        for path in ["/", "/logins/\(Replies.row)", "/people", "/clients", "/commands", "/commands/accounts/set"] {
            let page = try await fixture.send(.get, path, cookie: cookie, isPlain: true).body
            for link in page.matches(of: #/(?:href|action|src)="([^"]*)"/#) where link.1 != "#main" {
                #expect(link.1.hasPrefix(root + "/") && !link.1.contains(root + root), "\(path): \(link.1)")
            }
        }
    }

    @Test func `attack: the link works once, also for whoever copied it`() async throws {
        let fixture = ConsoleFixture()
        let path = "/enter/\(fixture.link.expose())"
        #expect(try await fixture.send(.get, path, more: [("Sec-Purpose", "prefetch")]).status == 404, "a preview")
        #expect(try await fixture.send(.get, path).status == 200)
        #expect(try await fixture.send(.get, path) == Self.nothing())
    }

    @Test func `attack: the link has expired after a minute`() async throws {
        let fixture = ConsoleFixture()
        fixture.time.advance(by: .seconds(60))
        #expect(try await fixture.send(.get, "/enter/\(fixture.link.expose())") == Self.nothing())
    }

    @Test func `attack: a write without its token, or with another cookie's, does nothing`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let nothing = try await Self.nothing()
        for token in ["", "token=", "token=x", "token=\(fixture.access.token(for: "other"))"] {
            let form = "p_account=a&\(token)"
            #expect(try await fixture.send(.post, "/commands/accounts/disable", cookie: cookie, body: form) == nothing)
            #expect(try await fixture.send(.post, "/confirm", cookie: cookie, body: form) == nothing)
        }
        let token = "token=\(fixture.access.token(for: cookie))"
        let reply = try await fixture.send(
            .post,
            "/commands/accounts/disable",
            cookie: cookie,
            body: token,
            more: [("Content-Type", "text/plain")]
        )
        #expect(reply == nothing, "a form that needs no preflight has another type")
        #expect(fixture.socket.sent.isEmpty)
    }

    @Test func `a token in the header is enough, and a wrong one there is refused beside a right field`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let token = fixture.access.token(for: cookie)
        let path = "/commands/accounts/disable"
        for (header, status) in [(token, 200), ("x", 404), ("", 404), (fixture.access.token(for: "other"), 404)] {
            let form = header == token ? "p_account=a" : "p_account=a&token=\(token)"
            let more = [("X-Console-Token", header)]
            let reply = try await fixture.send(.post, path, cookie: cookie, body: form, more: more)
            #expect(reply.status == status, "\(header)")
        }
    }

    @Test(arguments: ["/people", "/commands/audit/verify", "/none", "/logins"])
    func `attack: no stream follows a page that is not live`(_ page: String) async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let reply = try await fixture.send(.get, "/events?page=\(page)", cookie: cookie)
        #expect(reply == (try await Self.nothing()) && fixture.socket.sent.isEmpty)
    }

    @Test func `a stream sends a part once while it does not change, and ends with the session`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        async let reply = fixture.send(.get, "/events?page=%2F", cookie: cookie, site: "same-origin")
        for _ in 1...3 {
            while fixture.time.sleeperCount == 0 { await Task.yield() }
            fixture.time.advance(by: .seconds(1))
        }
        while fixture.time.sleeperCount == 0 { await Task.yield() }
        fixture.time.advance(by: ConsoleAccess.idleTime)
        let stream = try await reply
        #expect(stream.headers[.contentType]?.hasPrefix("text/event-stream") == true)
        #expect(stream.body.ranges(of: "data: ").count == 1 && stream.body.contains("Begun a minute"))
        #expect(!stream.body.contains("<html") && fixture.socket.sent.filter { $0.name == "showStatus" }.count == 4)
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"])
    func `attack: no other method is answered`(_ method: String) async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let reply = try await fixture.send(try #require(HTTPRequest.Method(method)), "/", cookie: cookie)
        #expect(reply == (try await Self.nothing()))
    }

    @Test(arguments: [
        "/people/../settings", "/%2e%2e/settings", "/people/..%2f..%2fetc%2fpasswd/x", "//settings/x", "/style.css/x",
        "/commands/accounts/none", "/items/none/x", "/commands/daemon/../accounts",
    ])
    func `attack: a path leads to no file and no other page`(_ path: String) async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        #expect(try await fixture.send(.get, path, cookie: cookie) == Self.nothing())
    }

    @Test func `the console is over after fifteen idle minutes, and a page that renews itself is idle`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        for _ in 1...3 {
            fixture.time.advance(by: .seconds(600))
            #expect(try await fixture.send(.get, "/", cookie: cookie).status == 200, "a press keeps it")
        }
        for _ in 1...2 {
            fixture.time.advance(by: .seconds(440))
            // A page that nothing streams is refused, after the session was looked at.
            _ = try await fixture.send(.get, "/events?page=%2Fnone", cookie: cookie, site: "same-origin")
        }
        fixture.time.advance(by: .seconds(20))
        #expect(try await fixture.send(.get, "/", cookie: cookie) == Self.nothing())
        #expect(try await fixture.send(.get, "/events?page=%2F", cookie: cookie) == Self.nothing())
        try await fixture.access.waitForEnd()
    }

    @Test func `the cookie is strict, and every response forbids what a page does not need`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let reply = try await fixture.send(.get, "/enter/\(fixture.link.expose())")
        let cookie = try #require(reply.headers[.setCookie])
        #expect(cookie.hasSuffix("; Path=\(fixture.access.root)/; HttpOnly; SameSite=Strict"))
        #expect(fixture.access.cookieName.count == "vsc_".count + 16)
        #expect(fixture.link.expose().count == 43, "256 bits")
        for reply in [reply, try await fixture.send(.get, "/none")] {
            let policy = try #require(reply.headers[.contentSecurityPolicy])
            #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe") && !policy.contains("http"))
            #expect(reply.headers[.cacheControl] == "no-store")
            #expect(reply.headers[.accessControlAllowOrigin] == nil)
        }
    }
}
