import Audit
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing
import Wire

@testable import Assembly

/// The page behind a login's link.
struct LandingTests {
    // T-032
    @Test func `attack: GET and HEAD of the landing page change nothing`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let before = try await Self.rows(harness)
            for method in [HTTPRequest.Method.get, .head] {
                for _ in 0..<10 {
                    let response = try await harness.send(method, login.landingPath)
                    #expect(response.status == .ok)
                    #expect(response.headers[.location] == nil && response.headers[.setCookie] == nil)
                }
            }
            #expect(try await Self.rows(harness) == before, "nothing was written")
            #expect(harness.provider.calls.isEmpty)
            #expect(try await harness.word(login, login.bound) == "created")
        }
    }

    // T-033
    @Test
    func `attack: a scan begun by a link scanner can't approve once the person's browser has opened the link`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            #expect(try await harness.open(login).status == .seeOther, "the scanner")
            let scanned = try #require(harness.provider.newest)
            #expect(try await harness.open(login, browser: "vst_go=of-the-person").status == .seeOther, "the person")
            #expect(harness.provider.newest != scanned)
            harness.provider.answer(scanned, .approved)
            await harness.pass(.seconds(6))
            #expect(try await harness.poll(login, login.bound).decode(PollLoginResponse.self).status == .pending)
            try await harness.judge(.approved)
            #expect(try await harness.word(login, login.bound) == "completed")
        }
    }

    @Test func `attack: an approved scan of one account signs in no other account`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.start("ada@example.com")
            try await harness.open(ada)
            let adas = try #require(harness.provider.newest)
            let bob = try await harness.start("bob@example.com")
            try await harness.open(bob)
            let bobs = try #require(harness.provider.newest)
            #expect(adas != bobs)
            try await harness.judge(.approved)
            #expect(try await harness.poll(ada, ada.bound).decode(PollLoginResponse.self).status == .pending)
            let operation = try #require(harness.composition.service.cache.card(ada.publicID)).operation
            try await harness.composition.service.observe(.approved, of: bobs, for: operation)
            #expect(try await harness.poll(ada, ada.bound).decode(PollLoginResponse.self).status == .pending)
            #expect(try await harness.word(bob, bob.bound) == "completed")
        }
    }

    @Test func `a POST starts the scan and sends the browser to the provider's page`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            await harness.pass(.seconds(20))
            let response = try await harness.open(login)
            #expect(response.status == .seeOther)
            #expect(response.headers[.location] == "https://provider.example.com/scan-1")
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(response.headers[.referrerPolicy] == "no-referrer")
            let request = ScanRequest(enrolment: "enrolment of ada", timeLeft: .seconds(160))
            #expect(harness.provider.calls == [.begin(request)], "by the enrolment's name, never the e-mail")
            let cookie = try #require(response.setCookie("vst_go"))
            let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
            #expect(parts.dropFirst() == ["Path=/go", "Max-Age=900", "HttpOnly", "SameSite=Lax"])
        }
    }

    /// The browser's statement of where its POST comes from.
    struct Sender: Sendable, CustomTestStringConvertible {
        let site: String?
        let origin: String?
        let isTaken: Bool

        var testDescription: String { "site \(site ?? "-"), origin \(origin ?? "-")" }
    }

    // T-035
    @Test(arguments: [
        Sender(site: nil, origin: nil, isTaken: true), Sender(site: "same-origin", origin: nil, isTaken: true),
        Sender(site: "none", origin: nil, isTaken: true), Sender(site: "cross-site", origin: nil, isTaken: false),
        Sender(site: "same-site", origin: nil, isTaken: false), Sender(site: "", origin: nil, isTaken: false),
        Sender(site: "cross-site", origin: "http://localhost:8080", isTaken: false),
        Sender(site: nil, origin: "http://localhost:8080", isTaken: true),
        Sender(site: nil, origin: "https://evil.example.com", isTaken: false),
        Sender(site: nil, origin: "null", isTaken: false),
        Sender(site: nil, origin: "http://localhost", isTaken: false),
        Sender(site: nil, origin: "https://localhost:8080", isTaken: false),
        Sender(site: nil, origin: "http://localhost:8080.evil.example.com", isTaken: false),
        Sender(site: nil, origin: "", isTaken: false),
    ])
    func `attack: a POST of another site to the landing page begins no scan`(_ sender: Sender) async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            var headers: HTTPFields = [:]
            headers[.fetchSite] = sender.site
            headers[.origin] = sender.origin
            let response = try await harness.send(.post, login.landingPath, headers)
            #expect(response.status == (sender.isTaken ? .seeOther : .forbidden))
            #expect((response.headers[.location] != nil) == sender.isTaken)
            #expect(harness.provider.beginCount == (sender.isTaken ? 1 : 0))
            #expect(try harness.operation(login).state.name == (sender.isTaken ? .pending : .created))
        }
    }

    // T-038
    @Test func `the page works without script, and its script and style are the ones that its policy names`()
        async throws
    {
        try await Harness.run { harness in
            let page = try await harness.send(.get, harness.start().landingPath)
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.text.contains(#"<form method="post"><button type="submit">"#))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            let script = try Self.inner(page.text, "script")
            let style = try Self.inner(page.text, "style")
            let directives = policy.components(separatedBy: "; ").map { $0.components(separatedBy: " ") }
            let byName = Dictionary(uniqueKeysWithValues: directives.map { ($0[0], Array($0.dropFirst())) })
            #expect(byName["default-src"] == ["'none'"])
            #expect(byName["script-src"]?.contains(Self.hash(script)) == true)
            #expect(byName["style-src"] == [Self.hash(style)])
            #expect(byName["form-action"] == ["'self'", "https://provider.example.com"])
            #expect(byName["frame-ancestors"] == ["'none'"] && byName["base-uri"] == ["'none'"])
            #expect(!policy.contains("unsafe"))
            #expect(page.headers[.referrerPolicy] == "same-origin", "else the form's Origin would be null")
        }
    }

    // T-038
    @Test func `every page with a script names it in its policy`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            harness.provider.fail(with: .unavailable(cause: "down"))
            let pages = [
                try await harness.send(.get, login.landingPath), try await harness.open(login),
                try await harness.send(.get, "/go/x"),
                try await harness.send(.post, login.landingPath, [.fetchSite: "cross-site"]),
            ]
            for page in pages {
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(policy.contains(Self.hash(try Self.inner(page.text, "style"))))
                guard page.text.contains("<script>") else { continue }
                #expect(policy.contains(Self.hash(try Self.inner(page.text, "script"))))
            }
        }
    }

    @Test(.alsoSpread) func `the same browser is sent to the same page again`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let first = try await harness.open(login)
            let cookie = try #require(first.cookie("vst_go"))
            let second = try await harness.open(login, browser: cookie)
            #expect(second.headers[.location] == first.headers[.location])
            #expect(second.cookie("vst_go") == cookie)
            #expect(harness.provider.beginCount == 1)
        }
    }

    // T-015, T-245
    @Test func `another browser may start over three times, and then no more`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            for number in 1...4 {
                let response = try await harness.open(login)
                #expect(response.headers[.location] == "https://provider.example.com/scan-\(number)")
            }
            let last = try await harness.open(login)
            #expect(last.status == .tooManyRequests)
            #expect(last.headers[.location] == nil && last.text.contains("Started too often"))
            #expect(harness.provider.beginCount == 4)
        }
    }

    // T-033, T-060
    @Test func `attack: a scan that was replaced by a newer one can't approve`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let abandoned = try #require(harness.provider.newest)
            try await harness.open(login)
            harness.provider.answer(abandoned, .approved)
            await harness.pass(.seconds(6))
            #expect(try await harness.word(login) == "user_in_provider")
            try await harness.judge(.approved)
            #expect(try await harness.word(login) == "completed")
        }
    }

    // T-038
    @Test func `attack: a malformed vst_go cookie is replaced by a new one and not echoed`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let injected = ["vst_go=\"<script>\"", "vst_go=", "vst_go=" + String(repeating: "a", count: 500)]
            for cookie in injected {
                let response = try await harness.open(login, browser: cookie)
                let value = try #require(response.cookie("vst_go")?.dropFirst(7))
                #expect(Base64URL.decode(value)?.count == 32, "a new one of ours")
            }
        }
    }

    @Test func `while the provider is down the page has a button to try again, and the login stays open`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            harness.provider.fail(with: .unavailable(cause: "timeout"))
            let page = try await harness.open(login)
            #expect(page.status == .serviceUnavailable)
            #expect(page.headers[.location] == nil && page.headers[.setCookie] == nil)
            #expect(page.text.contains(#"<form method="post"><button type="submit">Try again</button>"#))
            #expect(!page.text.contains("timeout"))
            harness.provider.fail(with: nil)
            #expect(try await harness.open(login).status == .seeOther)
        }
    }

    @Test func `what a provider says that refuses is in the audit and not on the page`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            harness.provider.fail(with: .refused(cause: "locked out"))
            let page = try await harness.open(login)
            #expect(page.status == .serviceUnavailable)
            #expect(!page.text.contains("locked out"))
            let audit = try await harness.composition.stores.audit
                .rows(of: CoreFeature.node, from: 1, limit: 100)
            #expect(audit.contains { $0.entry.event == "operation.scan_refused" && $0.entry.detail == "locked out" })
        }
    }

    @Test func `a link of a login that is over, or of none, says so`() async throws {
        try await Harness.run { harness in
            let canceled = try await harness.start()
            try await harness.send(.post, canceled.cancelPath, canceled.bound)
            let approved = try await harness.start()
            try await harness.approve(approved)
            let late = try await harness.start()
            await harness.pass(.seconds(180))
            let nobodys = "/go/" + String(repeating: "A", count: 43)
            let paths = [canceled, approved, late].map(\.landingPath) + [nobodys, "/go/x", "/go/%00", "/go/..%2f"]
            let calls = harness.provider.calls.count
            for path in paths {
                for method in [HTTPRequest.Method.get, .post] {
                    let response = try await harness.send(method, path)
                    #expect(response.status == .gone, "\(method) \(path)")
                    #expect(response.text.contains("This link is no longer valid"))
                    #expect(response.headers[.location] == nil)
                }
            }
            #expect(harness.provider.calls.count == calls)
        }
    }

    @Test func `attack: two browsers that open the link at once begin one scan`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider(name: .init("mock")) { call in
            if case .begin = call { await gate.pass() }
        }
        try await Harness.run(provider: provider) { harness in
            let login = try await harness.start()
            async let first = harness.open(login)
            await gate.waitForCaller()
            let second = try await harness.open(login)
            #expect(second.status == .ok && second.text.contains("One moment"))
            gate.open()
            #expect(try await first.status == .seeOther)
            #expect(harness.provider.beginCount == 1)
        }
    }

    /// Operations and audit rows, as the store has them.
    private static func rows(_ harness: Harness) async throws -> [String] {
        let operations = try await harness.composition.stores.operations.list(OperationFilter())
        let audit = try await harness.composition.audit.verify(against: nil)
        return operations.map { "\($0.id) \($0.seq) \($0.state.name)" } + ["\(audit)"]
    }

    private static func inner(_ text: String, _ tag: String) throws -> String {
        let start = try #require(text.range(of: "<\(tag)>"))
        let end = try #require(text.range(of: "</\(tag)>"))
        return String(text[start.upperBound..<end.lowerBound])
    }

    private static func hash(_ text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }
}
