import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The headers that every answer has, whatever the route.
struct EdgeTests {
    /// Every kind of answer.
    static func everyAnswer(_ harness: Harness) async throws -> [TestResponse] {
        let login = try await harness.start()
        var answers = [login.response]
        answers.append(try await harness.poll(login))
        answers.append(try await harness.send(.get, login.landingPath))
        answers.append(try await harness.send(.head, login.landingPath))
        answers.append(try await harness.open(login))
        try await harness.judge(.approved)
        answers.append(try await harness.poll(login, login.bound))
        answers.append(try await harness.send(.post, login.ackPath, login.bound))
        answers.append(try await harness.poll(login, login.bound))
        answers.append(try await harness.send(.post, login.cancelPath))
        for path in ["/livez", "/readyz", "/version", "/.well-known/jwks.json", "/", "/no/such/path", "/go/x"] {
            answers.append(try await harness.send(.get, path))
        }
        answers.append(try await harness.send(.delete, "/livez"))
        answers.append(try await harness.post(Harness.initiatePath, "{"))
        answers.append(try await harness.post(Harness.initiatePath, String(repeating: " ", count: 70_000)))
        return answers
    }

    @Test func `every answer has the security headers, an id of its own, and no ETag`() async throws {
        try await Harness.run { harness in
            let answers = try await Self.everyAnswer(harness)
            for answer in answers {
                let what: Comment = "\(answer.status) \(answer.text.prefix(80))"
                #expect(answer.headers[.xContentTypeOptions] == "nosniff", what)
                #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true, what)
                #expect(answer.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true, what)
                #expect(answer.headers[.referrerPolicy] != nil, what)
                #expect(answer.headers[.eTag] == nil && answer.headers[.lastModified] == nil, what)
                #expect(answer.headers[.strictTransportSecurity] == nil, "plain http")
                let cache = answer.headers[.cacheControl]
                #expect(cache == (answer.text.contains("\"keys\"") ? "public, max-age=300" : "no-store"), what)
                for field in answer.headers where field.name != .setCookie {
                    #expect(answer.headers[values: field.name].count == 1, "\(field.name) is sent once")
                }
            }
            #expect(Set(answers.compactMap { $0.headers[.requestID] }).count == answers.count)
        }
    }

    @Test func `attack: a request's own X-Request-ID is neither returned nor logged`() async throws {
        try await Harness.run { harness in
            let answer = try await harness.send(.get, "/livez", [.requestID: "forged"])
            #expect(answer.headers[.requestID] != "forged")
            #expect(harness.log.requests.allSatisfy { !$0.text.contains("forged") })
        }
    }

    private static let unknown = [
        "/assets", "/assets/x",
        "/api", "/auth", "/auth/biometric-login", "/AUTH/biometric-login/initiate", "/auth/biometric-login/poll",
        "/api/api/auth/biometric-login/initiate", "/admin", "/go", "/go/a/b", "/.env", "/mobile/profile",
        "/auth/biometric-login/poll/a/b", "/%2e%2e/%2e%2e/etc/passwd",
    ]

    @Test func `an unknown path is 404 in JSON, never 401, never a page`() async throws {
        try await Harness.run { harness in
            let propfind = try #require(HTTPRequest.Method("PROPFIND"))
            for path in Self.unknown {
                for method in [HTTPRequest.Method.get, .post, .delete, propfind] {
                    try harness.expect(try await harness.send(method, path), is: "not_found", 404, "\(method) \(path)")
                }
            }
        }
    }

    @Test func `a route answers every other method with 405 and those that it takes`() async throws {
        try await Harness.run { harness in
            let table = harness.api.table.routes
            let further = try ["PROPFIND", "MKCOL", "QUERY", "get"].map { try #require(HTTPRequest.Method($0)) }
            let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options] + further
            for (template, routes) in Dictionary(grouping: table, by: \.template) {
                let path = template.replacing("{operationId}", with: "x").replacing("{ticket}", with: "x")
                let allowed = routes.map(\.method)
                for method in methods where !allowed.contains(method) {
                    let response = try await harness.send(method, path)
                    #expect(response.status == .methodNotAllowed, "\(method) \(template)")
                    let named = response.headers[.allow]?.split(separator: ", ").map(String.init) ?? []
                    #expect(Set(named) == Set(allowed.map(\.rawValue)), "\(method) \(template)")
                    if method != .head { try harness.expect(response, is: "method_not_allowed", 405) }
                }
            }
        }
    }

    @Test func `HEAD answers have no body and the Content-Length of GET`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            for path in [login.landingPath, "/go/x", "/livez", "/readyz", login.pollPath, "/no/such/path"] {
                let response = try await harness.send(.head, path)
                #expect(response.body.readableBytes == 0, "\(path)")
                #expect(Int(response.headers[.contentLength] ?? "").map { $0 > 0 } == true, "as GET would have it")
            }
        }
    }

    @Test func `the access log has the route's template, never an id, a query or a cookie`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            _ = try await harness.send(.get, login.pollPath + "?secret=in-the-query", login.bound)
            try await harness.approve(login)
            _ = try await harness.poll(login, login.bound)
            _ = try await harness.send(.get, "/no/such/\(login.id)?secret=in-the-query")
            let lines = harness.log.requests
            #expect(
                lines.map { $0.metadata["route"] } == [
                    "/auth/biometric-login/initiate", "/auth/biometric-login/poll/{operationId}", "/go/{ticket}",
                    "/auth/biometric-login/poll/{operationId}", "unmatched",
                ]
            )
            #expect(lines.map { $0.metadata["status"] } == ["200", "200", "303", "200", "404"])
            #expect(lines.map { $0.metadata["method"] } == ["POST", "GET", "POST", "GET", "GET"])
            for line in harness.log.lines {
                for secret in [login.id, login.ticket, login.cookie, "in-the-query"] {
                    #expect(!line.text.contains(secret), "\(line.text)")
                }
            }
        }
    }

    @Test func `without an access log there is none`() async throws {
        try await Harness.run { settings in
            settings.log.access = false
        } _: { harness in
            try await harness.send(.get, "/livez")
            #expect(harness.log.requests.isEmpty)
        }
    }

    @Test func `a surface that is off has no routes`() async throws {
        try await Harness.run { settings in
            settings.surfaces["bbms"]?.enabled = false
        } _: { harness in
            try harness.expect(try await harness.post(Harness.initiatePath, "{}"), is: "not_found", 404)
            #expect(try await harness.send(.get, "/livez").status == .ok)
        }
    }

    @Test(arguments: ["bbms", "mobile", "passkeys", "yapt"])
    func `an owner sees the account's sessions whichever surface is on, and none where none is`(
        _ on: String
    ) async throws {
        for isAny in [true, false] {
            try await Harness.run { settings in
                for name in settings.surfaces.keys { settings.surfaces[name]?.enabled = false }
                settings.surfaces[on]?.enabled = isAny
            } _: { harness in
                for path in ["/auth/sessions", "/api/auth/sessions", "/auth/me", "/api/auth/me"] {
                    let response = try await harness.send(.get, path)
                    try harness.expect(response, is: isAny ? "unauthorized" : "not_found", isAny ? 401 : 404)
                }
            }
        }
    }
}
