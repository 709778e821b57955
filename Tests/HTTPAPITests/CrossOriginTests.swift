import HTTPTypes
import HummingbirdTesting
import Operations
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Pages of other sites, as browsers speak for them.
struct CrossOriginTests {
    private static let app = "https://app.example.com"
    private static let outsiders = [
        "https://evil.example.com", "null", "", "https://app.example.com.evil.example.com", "http://app.example.com",
        "https://app.example.com:8443", "https://APP.example.com", "https://app.example.com/", "*",
        "https://xapp.example.com", "http://localhost:8081", "file://",
        "https://app.example.com, https://evil.example.com",
    ]
    private static let corsHeaders: [HTTPField.Name] = [
        .accessControlAllowOrigin, .accessControlAllowCredentials, .accessControlAllowMethods,
        .accessControlAllowHeaders, .accessControlMaxAge, .accessControlExposeHeaders,
    ]

    private func run(_ body: @Sendable (Harness) async throws -> Void) async throws {
        try await Harness.run {
            $0.listen.corsOrigins = [Self.app, "https://admin.example.com:8443"]
        } _: {
            try await body($0)
        }
    }

    private func preflight(
        _ harness: Harness,
        from origin: String?,
        _ path: String = Harness.initiatePath
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.accessControlRequestMethod: "POST"]
        headers[.accessControlRequestHeaders] = "authorization,content-type"
        headers[.origin] = origin
        return try await harness.send(.options, path, headers)
    }

    @Test func `a listed origin's preflight is answered for every path, and its requests can be read with cookies`()
        async throws
    {
        try await run { harness in
            for path in [Harness.initiatePath, "/auth/me", "/.well-known/jwks.json", "/no/such/path"] {
                let answer = try await preflight(harness, from: Self.app, path)
                #expect(answer.status == .noContent && answer.text.isEmpty)
                #expect(answer.headers[.accessControlAllowOrigin] == Self.app)
                #expect(answer.headers[.accessControlAllowCredentials] == "true")
                #expect(answer.headers[.accessControlAllowMethods]?.contains("POST") == true)
                #expect(answer.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
                #expect(answer.headers[.accessControlAllowHeaders]?.contains("*") == false)
                #expect(answer.headers[.accessControlMaxAge] == "600")
                #expect(answer.headers[.vary] == "Origin")
            }
            let login = try await harness.start(with: [.origin: Self.app])
            #expect(login.response.status == .ok)
            #expect(login.response.headers[.accessControlAllowOrigin] == Self.app)
            #expect(login.response.headers[.accessControlAllowCredentials] == "true")
            #expect(login.response.headers[.vary] == "Origin")
            // Errors have to be readable as well.
            let fault = try await harness.send(.get, "/auth/me", [.origin: "https://admin.example.com:8443"])
            #expect(fault.status == .unauthorized)
            #expect(fault.headers[.accessControlAllowOrigin] == "https://admin.example.com:8443")
        }
    }

    // T-040
    @Test func `attack: an unlisted origin gets no CORS headers, and its start of a login gets 403`() async throws {
        try await run { harness in
            for origin in Self.outsiders {
                let asked = try await preflight(harness, from: origin)
                #expect(asked.status == .forbidden && asked.text.contains("origin_not_allowed"), "\(origin)")
                let start = try await harness.post(
                    Harness.initiatePath,
                    #"{"email":"ada@example.com"}"#,
                    [.origin: origin]
                )
                #expect(start.status == .forbidden && start.text.contains("origin_not_allowed"), "\(origin)")
                let read = try await harness.send(.get, "/livez", [.origin: origin])
                #expect(read.status == .ok, "\(origin)")
                for answer in [asked, start, read] {
                    for name in Self.corsHeaders { #expect(answer.headers[name] == nil, "\(origin)") }
                    #expect(answer.headers[.vary] == "Origin", "a cache must not hand \(origin)'s to a listed one")
                }
                #expect(try await harness.composition.service.list(.init(limit: 10)).isEmpty, "\(origin)")
            }
        }
    }

    @Test func `requests without Origin pass, and so do this server's own pages, without a word about origins`()
        async throws
    {
        try await run { harness in
            let own = harness.settings.publicURL
            for headers: HTTPFields in [[:], [.origin: own], [.origin: "null", .fetchSite: "same-origin"]] {
                let answer = try await harness.post(Harness.initiatePath, #"{"email":"ada@example.com"}"#, headers)
                #expect(answer.status == .ok)
                for name in Self.corsHeaders { #expect(answer.headers[name] == nil) }
            }
            let cross: HTTPFields = [.origin: "null", .fetchSite: "cross-site"]
            let refused = try await harness.post(Harness.initiatePath, #"{"email":"ada@example.com"}"#, cross)
            #expect(refused.status == .forbidden)
        }
    }

    // T-040
    @Test(arguments: ["cross-site", "same-site"])
    func `attack: a cross-site POST without an Origin header gets 403 and starts nothing`(site: String) async throws {
        try await run { harness in
            let headers: HTTPFields = [.fetchSite: site]
            let start = try await harness.post(Harness.initiatePath, #"{"email":"ada@example.com"}"#, headers)
            try harness.expect(start, is: "origin_not_allowed", 403)
            #expect(try await harness.composition.service.list(.init(limit: 10)).isEmpty)
            #expect(try await harness.send(.get, "/livez", headers).status == .ok, "links from there lead here")
            for own in ["same-origin", "none"] {
                let answer = try await harness.post(
                    Harness.initiatePath,
                    #"{"email":"ada@example.com"}"#,
                    [.fetchSite: own]
                )
                #expect(answer.status == .ok)
            }
        }
    }

    // T-040
    @Test func `attack: a request with two Origin headers gets 403`() async throws {
        try await run { harness in
            var headers: HTTPFields = [.contentType: "application/json"]
            headers.append(HTTPField(name: .origin, value: Self.app))
            headers.append(HTTPField(name: .origin, value: "https://evil.example.com"))
            let answer = try await harness.send(.post, Harness.initiatePath, headers)
            #expect(answer.status == .forbidden && answer.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test func `without a list no answer depends on the origin`() async throws {
        try await Harness.run { harness in
            let asked = try await preflight(harness, from: Self.app)
            #expect(asked.status == .forbidden && asked.headers[.vary] == nil)
            #expect(try await harness.send(.get, "/livez", [.origin: Self.app]).headers[.vary] == nil)
            let page = try await harness.send(.get, harness.start().landingPath)
            #expect(page.headers[.vary] == "Accept-Language")
        }
        try await run { harness in
            let page = try await harness.send(.get, harness.start().landingPath)
            #expect(page.headers[.vary] == "Accept-Language, Origin")
        }
    }
}
