import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The way back to the app: `returnUrl`, the return code, and `requireReturn`.
struct ReturnTests {
    private static let url = "https://app.example.com/done?a=1"
    private static let scheme = "com.example.app:/done"

    // T-034
    @Test(arguments: [
        "https://app.example.com/done", "https://app.example.com/done?a=1&b=2", "https://APP.example.com/done?a=1",
        "https://app.example.com/done?a=1/", "https://evil.example.com/", "", "javascript:alert(1)",
        "https://app.example.com/done?a=1\u{0}",
    ])
    func `attack: a return URL that is not byte for byte one of the client's gets 400 invalid_return_url`(
        _ url: String
    ) async throws {
        try await Self.run { harness in
            let body = #"{"email":"ada@example.com","returnUrl":"\#(url.replacing("\u{0}", with: "\\u0000"))"}"#
            try harness.expect(try await harness.post(Harness.initiatePath, body), is: "invalid_return_url", 400)
            #expect(harness.composition.service.cache.count == 0)
        }
    }

    // T-034
    @Test func `another client's address is refused`() async throws {
        try await Self.run { settings in
            var other = InitiateTests.client("other")
            other.returnURLs = ["https://other.example.com/"]
            settings.clients.append(other)
        } _: { harness in
            let body = #"{"email":"ada@example.com","returnUrl":"https://other.example.com/"}"#
            try harness.expect(try await harness.post(Harness.initiatePath, body), is: "invalid_return_url", 400)
        }
    }

    @Test(.alsoSpread) func `the browser of the scan is sent on to the app with a code, once it is accepted`()
        async throws
    {
        try await Self.run { harness in
            for (url, expected) in [(Self.url, Self.url + "&code="), (Self.scheme, Self.scheme + "?code=")] {
                let login = try await harness.start(returning: url)
                let cookie = try #require(try await harness.open(login).cookie("vst_go"))
                let early = try await harness.comeBack(cookie)
                #expect(early.status == .ok && early.text.contains("Checking the scan"))
                #expect(early.text.contains("document.forms[0].submit()},2000)"), "it asks again by itself")
                #expect(early.text.contains(#"<form method="post"><button type="submit">Continue</button></form>"#))
                try await harness.judge(.approved)
                let answer = try await harness.comeBack(cookie)
                #expect(answer.status == .seeOther)
                let location = try #require(answer.headers[.location])
                #expect(location.hasPrefix(expected))
                #expect(Base64URL.decode(location.dropFirst(expected.count))?.count == 32)
                #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.referrerPolicy] == "no-referrer")
                #expect(try await harness.word(login, login.bound) == "completed", "this client does not insist on it")
            }
        }
    }

    @Test func `a browser that goes on to an app's own scheme gets a page, and to a web address a redirect`()
        async throws
    {
        try await Self.run { harness in
            for (url, isPage) in [(Self.url, false), (Self.scheme, true)] {
                let login = try await harness.start(returning: url)
                let cookie = try #require(try await harness.open(login).cookie("vst_go"))
                try await harness.judge(.approved)
                let headers = HTTPFields.cookies(cookie).adding(.fetchSite, "same-origin")
                    .adding(.accept, "text/html,*/*;q=0.8")
                let answer = try await harness.send(.post, try harness.returnPath(), headers)
                #expect(answer.status == (isPage ? .ok : .seeOther))
                #expect((answer.headers[.location] == nil) == isPage)
                guard isPage else { continue }
                #expect(answer.text.contains("Continue in the app"))
                #expect(answer.text.contains(#"href="\#(Self.scheme)?code="#) && !answer.text.contains("<script"))
                #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.referrerPolicy] == "no-referrer")
            }
        }
    }

    @Test(.alsoSpread) func `a browser that comes back after the app has collected is sent on to the app`() async throws
    {
        try await Self.run { harness in
            let login = try await harness.start(returning: Self.url)
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.approved)
            // With three daemons the browser comes back to the one that has not seen the login yet.
            try await harness.send(.get, "/livez")
            #expect(try await harness.word(login, login.bound) == "completed")
            try await harness.send(.get, "/livez")
            let answer = try await harness.comeBack(cookie)
            #expect(answer.status == .seeOther && answer.headers[.location] == Self.url)
            #expect(try await harness.comeBack("vst_go=" + String(repeating: "A", count: 43)).status != .seeOther)
        }
    }

    // T-032
    @Test func `attack: GET and HEAD of the return address change nothing`() async throws {
        try await Self.requiring { harness in
            let login = try await harness.start(returning: Self.url)
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.approved)
            let before = try harness.operation(login)
            let path = try harness.returnPath()
            for method in [HTTPRequest.Method.get, .head] {
                let page = try await harness.send(method, path, .cookies(cookie))
                #expect(page.status == .ok)
                guard method == .get else { continue }
                #expect(page.text.contains("Back from the scan") && page.text.contains(#"<form method="post">"#))
                // Chromium checks a form's redirect against it, so the app's origin has to be listed there.
                let policy = try #require(page.headers[.named("Content-Security-Policy")])
                #expect(policy.contains(" https://app.example.com; frame-ancestors 'none'"))
                #expect(policy.contains("form-action 'self' "))
            }
            #expect(try harness.operation(login) == before)
            #expect(try await harness.composition.stores.operations.find(row: before.id) == before)
        }
    }

    // T-035
    @Test(arguments: ["cross-site", "same-site"])
    func `attack: a cross-site POST to the return address gets 403 and changes nothing`(_ site: String) async throws {
        try await Self.requiring { harness in
            let login = try await harness.start(returning: Self.url)
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.approved)
            let before = try harness.operation(login)
            let headers = HTTPFields.cookies(cookie).adding(.fetchSite, site)
            let answer = try await harness.send(.post, try harness.returnPath(), headers)
            #expect(answer.status == .forbidden && answer.headers[.location] == nil)
            #expect(try harness.operation(login) == before)
        }
    }

    // T-017
    @Test func `attack: the initiator who opened the link himself can't get the return code after another's scan`()
        async throws
    {
        try await Self.requiring { harness in
            let login = try await harness.start(returning: Self.url)
            // The initiator has the id, the ticket and both cookies; he sends the person the provider's page.
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.approved)
            let operation = try harness.operation(login)
            let guesses = [
                "x", String(repeating: "A", count: 43), login.ticket, String(cookie.dropFirst("vst_go=".count)),
            ]
            for guess in guesses {
                let answer = try await harness.comeBack(cookie, at: "\(login.landingPath)/return/\(guess)")
                #expect(answer.headers[.location] == nil, "\(guess)")
            }
            #expect(try await harness.comeBack(cookie, at: "\(login.landingPath)/return").status == .notFound)
            // The person's own browser returns with the secret, and without the cookie.
            for other in [nil, "vst_go=" + String(repeating: "A", count: 43)] {
                let answer = try await harness.comeBack(other)
                #expect(answer.status == .ok && answer.text.contains("Go back to the app"))
                #expect(!answer.text.contains("<form"), "nothing that starts another scan")
            }
            #expect(try harness.operation(login) == operation, "no code was made")
            #expect(try await harness.word(login, login.bound) == "processing")
        }
    }

    // T-017
    @Test func `attack: an attempt's return address gives its code only to that attempt's own browser`() async throws {
        try await Self.run { harness in
            let login = try await harness.start(returning: Self.url)
            let first = try #require(try await harness.open(login).cookie("vst_go"))
            let second = try #require(try await harness.open(login).cookie("vst_go"))
            let paths = [try harness.returnPath(of: 1), try harness.returnPath(of: 2)]
            #expect(paths[0] != paths[1])
            try await harness.judge(.approved)
            for (cookie, path) in [(first, paths[0]), (first, paths[1]), (second, paths[0])] {
                #expect(try await harness.comeBack(cookie, at: path).headers[.location] == nil)
            }
            #expect(try await harness.comeBack(second, at: paths[1]).status == .seeOther)
        }
    }

    @Test func `a provider that returns browsers gets a return address at begin, and another gets none`() async throws {
        for returns in [true, false] {
            let provider = ScriptedFaceProvider(name: ProviderName("mock"), returnsToUs: returns)
            try await Harness.run(provider: provider) { harness in
                let login = try await harness.start()
                try await harness.open(login)
                guard case .begin(let request) = try #require(provider.calls.first) else { return }
                #expect(request.enrolment == "enrolment of ada" && request.timeLeft == .seconds(180))
                guard returns else {
                    #expect(request.returnTo == nil)
                    return
                }
                let address = "http://localhost:8080/go/\(login.ticket)/return/"
                #expect(request.returnTo?.hasPrefix(address) == true)
                let secret = request.returnTo?.dropFirst(address.count)
                #expect(secret.flatMap { Base64URL.decode($0) }?.count == 32)
            }
        }
    }

    // T-017
    @Test func `with requireReturn only the code that the browser brought collects, and it does once`() async throws {
        try await Self.requiring { harness in
            let login = try await harness.start(returning: Self.url)
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.approved)
            #expect(try await harness.word(login, login.bound) == "processing", "approved, and not brought back")
            let stale = try await harness.code(cookie)
            let code = try await harness.code(cookie)
            for wrong in [stale, "x", String(repeating: "A", count: 43)] {
                #expect(try await harness.word(login, login.bound.adding(.returnCode, wrong)) == "processing")
            }
            #expect(try await harness.word(login, [.returnCode: code]) == "created", "the code alone is no proof")
            let body = #"{"returnCode":"\#(code)"}"#
            let answer = try await harness.post(login.pollPath, body, login.bound).decode(PollLoginResponse.self)
            #expect(answer.status == .completed && answer.tokens != nil)
            #expect(
                try harness.operation(login).binding.redirectBack == RedirectBack(url: Self.url),
                "the code is gone"
            )
            let again = try await harness.comeBack(cookie)
            #expect(again.headers[.location] == nil && again.text.contains("The scan was accepted"))
        }
    }

    // T-017
    @Test func `attack: where the return is required, an approval without it expires after a minute`() async throws {
        try await Self.requiring { harness in
            let login = try await harness.start(returning: Self.url)
            try await harness.open(login)
            try await harness.judge(.approved)
            for _ in 0..<3 { #expect(try await harness.word(login, login.bound) == "processing") }
            await harness.pass(.seconds(60))
            #expect(try await harness.word(login, login.bound) == "expired")
        }
    }

    @Test(.alsoSpread)
    func `an approval that waits for the browser past the login's deadline is waited for to its own end`()
        async throws
    {
        try await Self.requiring { harness in
            let login = try await harness.start(returning: Self.url)
            await harness.pass(.seconds(150))
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            await harness.pass(.seconds(20))
            try await harness.judge(.approved)
            await harness.pass(.seconds(20))
            let answer = try await harness.poll(login, login.bound).decode(PollLoginResponse.self)
            #expect(answer.hint == "processing" && answer.operationExpiresIn == 40)
            async let held = harness.send(.get, login.pollPath + "?wait=5", login.bound)
            try await WaitTests.parked(harness, 1)
            await harness.pass(.seconds(5))
            harness.wakeOverdue()
            #expect(try await held.decode(PollLoginResponse.self).operationExpiresIn == 35)
            let word = try await harness.word(login)
            #expect(word == "expired", "who proves nothing learns of no approval")
            let code = try await harness.code(cookie)
            #expect(try await harness.word(login, login.bound.adding(.returnCode, code)) == "completed")
        }
    }

    @Test func `a client that insists on the return has to name where`() async throws {
        try await Self.requiring { harness in
            let response = try await harness.post(Harness.initiatePath, #"{"email":"ada@example.com"}"#)
            try harness.expect(response, is: "invalid_return_url", 400)
        }
    }

    @Test func `a code is kept as a digest, and outlives a restart`() async throws {
        let (folder, time, kept) = (try TestFolder(), VirtualTime(), Kept())
        try await Self.requiring(folder: folder, time: time) { harness in
            let login = try await harness.start(returning: Self.url)
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.approved)
            let code = try await harness.code(cookie)
            let stored = try await harness.composition.stores.operations.find(row: try harness.operation(login).id)
            #expect(stored?.binding.redirectBack?.code == Digest256(sha256: code))
            kept.put(login)
            kept.put(code)
        }
        try await Self.requiring(folder: folder, time: time, seed: 2) { harness in
            let login = try #require(kept.login)
            #expect(try await harness.word(login, login.bound) == "processing")
            let code = try #require(kept.claims)
            #expect(try await harness.word(login, login.bound.adding(.returnCode, code)) == "completed")
        }
    }

    @Test func `a browser that comes back after a restart gets its code`() async throws {
        for isApproved in [true, false] {
            let (folder, time, kept, browser) = (try TestFolder(), VirtualTime(), Kept(), Kept())
            try await Self.requiring(folder: folder, time: time, seed: isApproved ? 1 : 3) { harness in
                let login = try await harness.start(returning: Self.url)
                browser.put(try await harness.open(login).cookie("vst_go"))
                kept.put(login)
                kept.put(try harness.returnPath())
                if isApproved { try await harness.judge(.approved) }
            }
            try await Self.requiring(folder: folder, time: time, seed: isApproved ? 2 : 4) { harness in
                let login = try #require(kept.login)
                let (cookie, path) = (try #require(browser.claims), try #require(kept.claims))
                if !isApproved {
                    harness.provider.answer(ProviderReference("scan-1"), .approved)
                    await harness.pass(.seconds(6))
                }
                let location = try #require(try await harness.comeBack(cookie, at: path).headers[.location])
                let code = String(location.drop { $0 != "&" }.dropFirst("&code=".count))
                #expect(try await harness.word(login, login.bound) == "processing")
                #expect(try await harness.word(login, login.bound.adding(.returnCode, code)) == "completed")
            }
        }
    }

    // T-017
    @Test func `a client that insists on the return takes no cross-device login`() async throws {
        try await Self.requiring { harness in
            let body = #"{"email":"ada@example.com","mode":"cross-device","returnUrl":"\#(Self.url)"}"#
            try harness.expect(try await harness.post(Harness.initiatePath, body), is: "mode_not_offered", 400)
            #expect(harness.composition.service.cache.count == 0)
        }
    }

    private static let sources: [(app: String, source: String?)] = [
        ("https://app.example.com/done?a=1", "https://app.example.com"), ("com.example.app:/done", "com.example.app:"),
        ("http://localhost:3000/", "http://localhost:3000"),
        ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443"),
        ("https://app.example.com;script-src *", nil), ("https://a b/", nil), ("done", nil),
    ]

    @Test func `an app's address stands in the page's policy by its origin or its scheme`() {
        for (app, source) in Self.sources { #expect(LandingPages.source(of: app) == source, "\(app)") }
    }

    private static func run(
        folder: TestFolder? = nil,
        time: VirtualTime = VirtualTime(),
        seed: UInt64 = 1,
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        let provider = ScriptedFaceProvider(name: ProviderName("mock"), returnsToUs: true)
        let storage: HarnessStorage = folder == nil ? .usual : .lasting
        try await Harness.run(storage: storage, folder: folder, time: time, seed: seed, provider: provider) {
            settings in
            settings.clients[0].returnURLs = [url, scheme]
            change(&settings)
        } _: { harness in
            try await body(harness)
        }
    }

    private static func requiring(
        folder: TestFolder? = nil,
        time: VirtualTime = VirtualTime(),
        seed: UInt64 = 1,
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        try await run(folder: folder, time: time, seed: seed) { settings in
            settings.clients[0].requireReturn = true
        } _: { harness in
            try await body(harness)
        }
    }
}
