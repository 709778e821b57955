import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import Web

@testable import HTTPAPI

/// Errors as pages: for browsers that open an address, and for nothing else.
struct ErrorPageTests {
    static let browser: HTTPFields = [
        .accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
    ]

    private static var request: Request {
        Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: "x", path: "/a/b/c", headerFields: browser),
            body: RequestBody(buffer: ByteBuffer())
        )
    }

    /// Errors of every kind that a page can have.
    private static let errors: [APIError] = [
        .notFound, .methodNotAllowed(allowed: [.get, .head]), .rateLimited(for: .seconds(17)), .storeUnavailable,
        .internalError, .originNotAllowed, .unauthorized(.noToken), .invalidRequest("<b>bad</b>"), .requestTimeout,
        .payloadTooLarge(limit: 1), APIError("gone", "It was there.", status: .gone),
    ]

    /// A server whose page at `/page` fails with that error, as does `/api/page`.
    private static func run(
        failing error: APIError,
        _ body: @Sendable (OpenServer) async throws -> Void
    ) async throws {
        let fail: Route.Handler = { _, _ in throw error }
        let routes = ["/page", "/api/page"].flatMap { path in
            Route.document(path, access: .everybody, use: fail) + [Route(.post, path, access: .everybody, use: fail)]
        }
        try await OpenServer.run(routes, body)
    }

    @Test(arguments: errors.indices)
    func `a browser gets the error as a page, under the same status and headers`(_ index: Int) async throws {
        let error = Self.errors[index]
        try await Self.run(failing: error) { server in
            let json = try await server.send(.get, "/page")
            let page = try await server.send(.get, "/page", Self.browser)
            try server.expect(json, is: error.code, error.status.code)
            #expect(page.status == error.status)
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.headers[.vary] == "Accept, Accept-Language" && page.headers[.contentLanguage] == "en")
            #expect(page.headers[.cacheControl] == "no-store")
            for name in [HTTPField.Name.allow, .wwwAuthenticate, .retryAfter, .connection] {
                #expect(page.headers[values: name] == json.headers[values: name], "\(name)")
            }
            let id = try #require(page.headers[our: .xRequestID])
            #expect(page.text.contains("<dd>\(id)</dd>") && page.text.contains("<dd>\(error.code)</dd>"))
            #expect(page.text.contains("<main data-code=\"\(error.code)\">"))
            #expect(!page.text.contains("<script") && !page.text.contains("{{") && !page.text.contains("<b>"))
            let texts = LocalizedStrings.english.page(ErrorPageKey(error.status))
            #expect(page.text.contains("<h1>\(texts.title)</h1>"))
        }
    }

    @Test func `whoever does not prefer HTML gets JSON, with the headers of before`() async throws {
        try await Self.run(failing: .rateLimited(for: .seconds(3))) { server in
            let accepts: [HTTPFields] = [
                [:], [.accept: "*/*"], [.accept: "application/json"], [.accept: "text/html;q=0.5, application/json"],
                [.accept: "text/html, application/json"], [.accept: "text/event-stream"],
            ]
            let names = try await server.send(.get, "/page").headerNames
            #expect(!names.contains("vary"))
            for headers in accepts {
                let answer = try await server.send(.get, "/page", headers)
                try server.expect(answer, is: "rate_limited", 429, "\(headers)")
                #expect(answer.headerNames == names, "\(headers)")
            }
        }
    }

    @Test(arguments: ["cors", "same-origin", "no-cors", "websocket", ""])
    func `a script that asks for HTML gets JSON`(_ mode: String) async throws {
        try await Self.run(failing: .notFound) { server in
            var headers = Self.browser
            headers[our: .secFetchMode] = mode
            try server.expect(try await server.send(.get, "/page", headers), is: "not_found", 404)
            headers[our: .secFetchMode] = "navigate"
            #expect(try await server.send(.get, "/page", headers).headers[.contentType] == "text/html; charset=utf-8")
        }
    }

    @Test func `an address that only programs call answers JSON whatever is asked for`() async throws {
        let paths = [
            "/api/page", "/api", "/api/no/such", "/auth/login", "/auth/x", "/oauth/token", "/oauth/par",
            "/oauth", "/oauth/userinfo", "/token", "/webhooks/x", "/livez", "/.well-known/x", "/assets/x/page.js",
            "/openapi.yaml", "/biometric/enroll",
        ]
        try await Self.run(failing: .internalError) { server in
            for path in paths {
                for method in [HTTPRequest.Method.get, .post, .delete] {
                    let answer = try await server.send(method, path, Self.browser)
                    #expect(answer.headers[.contentType] == "application/json", "\(method) \(path)")
                    #expect(answer.headers[.vary] == nil, "\(method) \(path)")
                }
            }
            for path in ["/no/such", "/go", "/oauth/sign-in/x/y", "/oauth/logout/x", "/device/x", "/account/x"] {
                let answer = try await server.send(.get, path, Self.browser)
                #expect(answer.status == .notFound, "\(path)")
                #expect(answer.headers[.contentType] == "text/html; charset=utf-8", "\(path)")
            }
        }
    }

    @Test func `a form's error is a page too, and HEAD has the headers alone`() async throws {
        try await Self.run(failing: .storeUnavailable) { server in
            let form = try await server.send(.post, "/page", Self.browser)
            #expect(form.status == .serviceUnavailable && form.text.contains("store_unavailable"))
            let refused = try await server.send(.delete, "/page", Self.browser)
            #expect(refused.status == .methodNotAllowed && refused.text.contains("<main"))
            #expect(Set(refused.headers[.allow]?.split(separator: ", ") ?? []) == ["GET", "HEAD", "POST"])
            let head = try await server.send(.head, "/page", Self.browser)
            #expect(head.body.readableBytes == 0 && head.status == .serviceUnavailable)
            let get = try await server.send(.get, "/page", Self.browser)
            #expect(head.headers[.contentLength] == get.headers[.contentLength])
        }
    }

    @Test(arguments: LocalizedStrings.builtIn.map(\.language))
    func `the page is in the person's language`(_ language: String) async throws {
        try await Self.run(failing: .rateLimited(for: .seconds(17))) { server in
            var headers = Self.browser
            headers[.acceptLanguage] = language
            let page = try await server.send(.get, "/page", headers)
            #expect(page.headers[.contentLanguage] == language && page.text.contains("<html lang=\"\(language)\">"))
            #expect(page.text.contains("17 s"))
            let texts = try #require(LocalizedStrings.builtIn.first { $0.language == language })
            let titles = ErrorPageKey.allCases.map { texts.page($0).title }
            #expect(Set(titles).count == titles.count && titles.allSatisfy { !$0.isEmpty })
        }
    }

    // MARK: Attacks

    @Test func `attack: a request's own request id, path and headers appear nowhere in the page`() async throws {
        try await OpenServer.run([]) { server in
            var headers = Self.browser
            let evil = "<script>alert(1)</script>"
            headers[our: .xRequestID] = evil
            headers[.userAgent] = evil
            headers[.acceptLanguage] = "\"><script>"
            headers[.cookie] = "vst_lang=<script>.xxxxxxxx"
            let page = try await server.send(.get, "/%3Cscript%3E/x?y=%3Cscript%3Ealert(1)%3C/script%3E", headers)
            #expect(page.status == .notFound && !page.text.contains("script"))
            let id = try #require(page.headers[our: .xRequestID])
            #expect(id != evil && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        }
    }

    @Test func `attack: details of an error are escaped, and break neither a header nor the page`() throws {
        let hostile = "\"><img src=x onerror=alert(1)>'&\r\nSet-Cookie: a=b"
        let error = APIError(hostile, hostile, status: .badRequest)
        let page = try #require(
            ErrorPages(server: .local(bodyLimit: 1)).answer(to: error, of: Self.request, id: hostile)
        )
        #expect(page.headers[.setCookie] == nil)
        for field in page.headers { #expect(!field.value.contains("onerror") && !field.value.contains("\n")) }
        let details = LandingContent.Details(detailList: DetailList([("c", hostile)]))
        let content = LandingContent.template.render(
            LandingContent(title: "t", body: "b", refusal: hostile, details: details),
            in: .english
        )
        #expect(!content.contains("<img") && content.contains("&lt;img src=x"))
    }

    // MARK: Links

    @Test(
        arguments: [
            ("http://localhost", "/"), ("https://login.example.com", "/"), ("https://example.com/login", "/login/"),
            ("https://example.com/a/b", "/a/b/"),
        ]
    )
    func `the links of a page below a proxy's prefix have the prefix`(_ publicURL: String, _ root: String) throws {
        var server = ServerConfiguration(
            publicURL: publicURL,
            issuer: publicURL,
            addresses: ClientAddresses(trusting: []),
            localization: Localization()
        )
        server.hasHome = true
        #expect(server.root == root)
        let page = try #require(ErrorPages(server: server).answer(to: .notFound, of: Self.request, id: "id"))
        #expect(page.headers[.contentSecurityPolicy]?.contains("img-src 'self'; form-action 'self'") == true)
        let content = LandingContent.template.render(
            LandingContent(title: "t", body: "b", form: .init(method: "get", action: server.root, button: "b")),
            in: .english,
            root: server.root
        )
        for icon in PageIcon.allCases { #expect(content.contains("href=\"\(root)\(icon.rawValue)\"")) }
        #expect(content.contains("<form method=\"get\" action=\"\(root)\">"))
    }
}
