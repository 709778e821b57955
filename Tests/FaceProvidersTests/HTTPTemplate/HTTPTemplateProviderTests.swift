import Crypto
import Foundation
import Kernel
import MemoryStore
import Operations
import Outbound
import ScriptedServer
import Testing

@testable import FaceProviders

struct HTTPTemplateProviderTests {
    private static let begun = ScriptedReply.json(#"{"id":"scan-1","url":"https://scan.example.com/p?s=secret"}"#)

    private static func page(_ url: String) -> ScriptedReply { .json(#"{"id":"scan-1","url":"\#(url)"}"#) }

    @Test func `a scan is begun as the templates say`() async throws {
        try await FakeHTTPProvider.run { _ in
            Self.begun
        } during: { fake in
            let scan = try await fake.begin("a\"b", timeLeft: .milliseconds(179_900))
            #expect(scan.reference.text == "scan-1")
            #expect(scan.page.expose() == "https://scan.example.com/p?s=secret")
            let request = try #require(fake.server.requests.first)
            #expect(request.method == "POST")
            #expect(request.path == "/scans")
            #expect(request.text == #"{"user":"a\"b","seconds":179,"until":"2026-01-01T00:02:59Z"}"#)
            #expect(request.header("X-Key") == "a-key-of-ours")
            #expect(request.header("Content-Type") == "application/json")
            #expect(request.header("Accept") == "application/json")
            #expect(request.header("Authorization") == nil)
        }
    }

    @Test func `a scan is checked, and a request without a body has no type of one`() async throws {
        try await FakeHTTPProvider.run { _ in
            .json(#"{"id":"scan-1","status":"ok"}"#)
        } during: { fake in
            let found = try await fake.check()
            #expect(found == .approved)
            let request = try #require(fake.server.requests.first)
            #expect((request.method, request.path) == ("GET", "/scans/scan-1"))
            #expect(request.header("Content-Type") == nil)
        }
    }

    // T-056
    @Test(arguments: [
        "https://evil.example/p", "https://scan.example.com.evil.example/p", "https://scan.example.com@evil.example/p",
        "https://scan.example.com:8443/p", "http://scan.example.com/p", "https:\\\\scan.example.com/p",
        "https://scan.example.com\\t@evil.example/", "javascript:alert(1)", "//scan.example.com/p", "/p", "",
        "https://scan.example.com\\\\@evil.example/p", "https://scаn.example.com/p", "https://%73can.example.com/p",
        "https://", "https://:443/p", "data:text/html,x",
    ])
    func `a page anywhere else is not passed on`(_ url: String) async throws {
        try await FakeHTTPProvider.run { _ in
            Self.page(url)
        } during: { fake in
            let failure = try #require(await fake.failure { () async throws(ProviderError) in try await fake.begin() })
            guard case .unavailable(let cause) = failure else {
                Issue.record("\(failure)")
                return
            }
            #expect(!cause.contains("/p"), "only the origin is told: \(cause)")
        }
    }

    // T-056
    @Test func `an origin is read as browsers read it`() {
        #expect(PageOrigin.of("HTTPS://Scan.Example.com:443/p?x#y") == "https://scan.example.com")
        #expect(PageOrigin.of("http://127.0.0.1:80") == "http://127.0.0.1")
        #expect(PageOrigin.of("http://[::1]:8090/x") == "http://[::1]:8090")
        for url in [
            "http://a:0/", "http://a:65536/", "http://a:1x/", "http://[::1/", "ftp://a/", "a.example", "http://a b/",
        ] {
            #expect(PageOrigin.of(url) == nil, "\(url)")
        }
    }

    @Test(arguments: [
        #"{"url":"https://scan.example.com/p"}"#, #"{"id":"","url":"https://scan.example.com/p"}"#,
        #"{"id":"..","url":"https://scan.example.com/p"}"#, #"{"id":"a b","url":"https://scan.example.com/p"}"#,
        #"{"id":"é","url":"https://scan.example.com/p"}"#, #"{"id":"scan-1"}"#, #"{"id":"scan-1","url":7}"#, "[]", "",
        "<html>",
        #"{"id":"scan-1","id":"scan-2","url":"https://scan.example.com/p"}"#,
    ])
    func `an answer without an id or a page begins nothing`(_ body: String) async throws {
        try await FakeHTTPProvider.run { _ in
            .json(body)
        } during: { fake in
            let failure = await fake.failure { () async throws(ProviderError) in try await fake.begin() }
            guard case .unavailable? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
    }

    @Test func `a page can be made from the id and from found values`() async throws {
        let answer = ScriptedReply.json(#"{"id":"inq_1","token":"a+b/c="}"#)
        try await FakeHTTPProvider.run { configuration in
            configuration.begin.page = .made(
                try TemplateText("https://scan.example.com/go?i={{reference}}&t={{found.token}}", .path, in: .page)
            )
            configuration.begin.find = [NamedValue("token", try HTTPTemplateConfiguration.pointer("/token"))]
        } _: { request in
            request.text.contains("nothing") ? .json(#"{"id":"inq_1"}"#) : answer
        } during: { fake in
            let scan = try await fake.begin()
            #expect(scan.page.expose() == "https://scan.example.com/go?i=inq_1&t=a%2Bb%2Fc%3D")
            #expect(
                await fake.failure { () async throws(ProviderError) in try await fake.begin("nothing") }
                    == .unavailable(cause: "starting a scan: the answer has no value for token")
            )
        }
    }

    @Test func `a page that sends the browser back gets the address, and counts as one that returns`() async throws {
        try await FakeHTTPProvider.run { configuration in
            configuration.begin.request.body = try TemplateText(#"{"back":"{{callbackURL}}"}"#, .json, in: .begin)
        } _: { _ in
            Self.begun
        } during: { fake in
            #expect(fake.provider.returnsToUs)
            for (returnTo, expected) in [
                ("https://login.example.com/go/t/return", "https://login.example.com/go/t/return"),
                (nil, "https://login.example.com"),
            ] {
                _ = try await fake.provider.begin(
                    ScanRequest(enrolment: "link-1", timeLeft: .seconds(60), returnTo: returnTo)
                )
                #expect(fake.server.requests.last?.text == #"{"back":"\#(expected)"}"#)
            }
        }
        try await FakeHTTPProvider.run { _ in
            Self.begun
        } during: { fake in
            #expect(!fake.provider.returnsToUs)
        }
    }

    // T-055
    @Test func `an account that would break a header is refused before anything is sent`() async throws {
        try await FakeHTTPProvider.run { configuration in
            configuration.begin.request.headers = [
                TemplateHeader("X-User", try TemplateText("{{account}}", .header, in: .begin))
            ]
        } _: { _ in
            Self.begun
        } during: { fake in
            let failure = await fake.failure { () async throws(ProviderError) in try await fake.begin("a\r\nX: 1") }
            #expect(failure == .refused(cause: "starting a scan: the value of {{account}} cannot be used there"))
            #expect(fake.server.requests.isEmpty)
        }
    }

    @Test(arguments: [
        (400, false), (404, false), (409, false), (422, false), (401, true), (403, true), (408, true), (425, true),
        (429, true), (500, true), (502, true), (503, true), (302, true),
    ])
    func `a refusal is about the person, and everything else an outage`(status: Int, isOutage: Bool) async throws {
        try await FakeHTTPProvider.run { _ in
            .json("{}", status: status)
        } during: { fake in
            let failure = await fake.failure { () async throws(ProviderError) in try await fake.begin() }
            switch failure {
            case .unavailable?, .unreached?, .heldBack?: #expect(isOutage)
            case .refused?: #expect(!isOutage)
            case nil: Issue.record("\(status) began a scan")
            }
        }
    }

    @Test func `a check's errors give no verdict`() async throws {
        let replies: [ScriptedReply] = [
            .json("{}", status: 500), .json("{}", status: 401), .json("{}", status: 400), .reset,
            .raw("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\n{", thenClose: true),
            .raw("nonsense\r\n\r\n", thenClose: true),
        ]
        for reply in replies {
            try await FakeHTTPProvider.run { _ in
                reply
            } during: { fake in
                #expect(await fake.failure { () async throws(ProviderError) in try await fake.check() } != nil)
            }
        }
        try await FakeHTTPProvider.run { _ in
            .json("{}", status: 404)
        } during: { fake in
            let found = try await fake.check()
            #expect(found == .unknownReference)
        }
        try await FakeHTTPProvider.run { _ in
            .flood
        } during: { fake in
            let found = try await fake.check()
            #expect(found == .nonsense)
        }
    }

    @Test func `a provider that hangs is given up on`() async throws {
        try await FakeHTTPProvider.run { _ in
            .hang
        } during: { fake in
            async let failure = fake.failure { () async throws(ProviderError) in try await fake.check() }
            while fake.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
            fake.time.advance(by: FakeHTTPProvider.requestTimeout)
            #expect(await failure == .unavailable(cause: "asking for a scan's status: no complete answer in time"))
        }
    }

    // T-217
    @Test func `an error's known texts are reported without the server's secrets, and its other texts not at all`()
        async throws
    {
        let body = #"{"error":{"code":"E1","text":"key a-key-of-ours\nis wrong"},"person":"Ada"}"#
        try await FakeHTTPProvider.run { configuration in
            configuration.errorTexts = [
                try HTTPTemplateConfiguration.pointer("/error/code"),
                try HTTPTemplateConfiguration.pointer("/error/text"),
            ]
        } _: { _ in
            .json(body, status: 422)
        } during: { fake in
            #expect(
                await fake.failure { () async throws(ProviderError) in try await fake.begin() }
                    == .refused(cause: "starting a scan: HTTP 422 E1 key <secret>is wrong")
            )
        }
    }

    @Test func `a scan is ended where there is a request for it`() async throws {
        try await FakeHTTPProvider.run { _ in
            .json("{}", status: 500)
        } during: { fake in
            #expect(!fake.provider.cancelsScans)
            try await fake.provider.cancel(ProviderReference("scan-1"))
            #expect(fake.server.requests.isEmpty)
        }
        try await FakeHTTPProvider.run { configuration in
            configuration.cancel = RequestTemplate(.delete, try TemplateText("/scans/{{reference}}", .path, in: .check))
        } _: { request in
            .json("{}", status: request.path.hasSuffix("gone") ? 404 : request.path.hasSuffix("odd") ? 500 : 200)
        } during: { fake in
            #expect(fake.provider.cancelsScans)
            try await fake.provider.cancel(ProviderReference("scan-1"))
            try await fake.provider.cancel(ProviderReference("gone"))
            #expect(fake.server.requests.map(\.method) == ["DELETE", "DELETE"])
            #expect(
                await fake.failure { () async throws(ProviderError) in
                    try await fake.provider.cancel(ProviderReference("odd"))
                } != nil
            )
        }
    }

    // T-217
    @Test func `a login logs no secret, no page and no account`() async throws {
        try await FakeHTTPProvider.run { request in
            request.method == "POST" ? Self.begun : .json(#"{"id":"scan-1","status":"ok"}"#)
        } during: { fake in
            let scan = try await fake.begin()
            _ = try await fake.check()
            let text = fake.log.text + String(reflecting: scan) + String(reflecting: fake.provider)
            for secret in ["a-key-of-ours", "s=secret"] { #expect(!text.contains(secret)) }
            #expect(!fake.log.text.contains("link-1"))
        }
    }
}

struct TemplateAuthTests {
    private static func ok(_ request: ScriptedRequest) -> ScriptedReply { .json(#"{"id":"scan-1","status":"ok"}"#) }

    @Test func `basic and bearer`() async throws {
        try await FakeHTTPProvider.run {
            $0.auth = .basic(BasicCredentials(user: Secret("us er"), password: Secret("pä:ss")))
        } _: {
            Self.ok($0)
        } during: { fake in
            _ = try await fake.check()
            let expected = "Basic " + Data("us er:pä:ss".utf8).base64EncodedString()
            #expect(fake.server.requests.first?.header("Authorization") == expected)
        }
        try await FakeHTTPProvider.run {
            $0.auth = .bearer(Secret("a-token"))
        } _: {
            Self.ok($0)
        } during: { fake in
            _ = try await fake.check()
            #expect(fake.server.requests.first?.header("Authorization") == "Bearer a-token")
        }
    }

    @Test func `an HMAC is over the template's text, at the header's time`() async throws {
        let key = "a-signing-key"
        try await FakeHTTPProvider.run { configuration in
            configuration.baseURL += "/api"
            configuration.headers = [
                TemplateHeader("X-Time", try TemplateText("{{timestamp}}", .header, in: .everyRequest))
            ]
            configuration.auth = .hmac(
                RequestSignature(
                    header: "X-Sign",
                    key: Secret(key),
                    sign: try TemplateText(
                        "{{method}}\n{{path}}\n{{timestamp}}\n{{body}}",
                        .signed,
                        in: .everyRequest
                    ),
                    encoding: .base64,
                    value: try TemplateText("v1={{signature}}", .header, in: .signature)
                )
            )
            configuration.check.request.sign = try TemplateText("{{reference}}", .signed, in: .check)
        } _: { request in
            request.method == "POST" ? .json(#"{"id":"scan-1","url":"https://scan.example.com/p"}"#) : Self.ok(request)
        } during: { fake in
            _ = try await fake.begin()
            _ = try await fake.check()
            let mac = { (text: String) in
                Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: Data(key.utf8))))
                    .base64EncodedString()
            }
            let first = fake.server.requests[0]
            #expect(first.header("X-Time") == "1767225600")
            #expect(first.header("X-Sign") == "v1=" + mac("POST\n/api/scans\n1767225600\n\(first.text)"))
            #expect(fake.server.requests[1].header("X-Sign") == "v1=" + mac("scan-1"))
        }
    }

    /// RFC 4231 §4.3.
    @Test func `the HMAC is HMAC-SHA256 in lower-case hexadecimal`() throws {
        let signature = RequestSignature(
            header: "X",
            key: Secret("Jefe"),
            sign: try TemplateText("{{body}}", .signed, in: .everyRequest),
            encoding: .hex,
            value: try TemplateText("{{signature}}", .header, in: .signature)
        )
        #expect(
            signature.code(over: "what do ya want for nothing?")
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
    }
}
