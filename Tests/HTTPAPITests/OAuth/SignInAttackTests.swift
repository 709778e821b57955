import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Sessions
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

/// What must not be had from the sign-in page of an authorization request.
struct SignInAttackTests {
    private static let pages = ["", "/wait", "/sign-up"]
    private static let forms = [
        "/identifier", "/face", "/mail", "/code", "/password", "/sign-up", "/enroll", "/later", "/consent", "/cancel",
    ]
    private static let asked = ["/passkey/options", "/passkey", "/passkey/new/options", "/passkey/new"]

    // O-010
    @Test(arguments: pages + forms)
    func `attack: another browser's sign-in page gets the same 410 as an unknown one`(
        _ below: String
    ) async throws {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.browser()
            _ = try await owner.startFace()
            let outsider = try await fixture.browser()
            var told: Set<String> = []
            for id in [owner.id, String(repeating: "A", count: 43), "short"] {
                for cookies in [outsider.cookies, "", CompanionCookies.interactionName + "=" + owner.id] {
                    let headers: HTTPFields = [
                        .cookie: cookies, .fetchSite: "same-origin",
                        .contentType: "application/x-www-form-urlencoded",
                    ]
                    let isForm = Self.forms.contains(below) && below != "/sign-up"
                    let answer = try await fixture.send(
                        isForm ? .post : .get,
                        "/oauth/sign-in/\(id)\(below)",
                        headers,
                        body: isForm ? "email=ada%40example.com" : nil
                    )
                    #expect(answer.status == .gone && answer.headers[.setCookie] == nil)
                    told.insert("\(answer.headerNames) \(answer.text)")
                }
            }
            #expect(told.count == 1, "no oracle")
            #expect(try await owner.load("/wait").status == .ok, "and nothing has happened to it")
        }
    }

    // O-010
    @Test(arguments: asked + ["/events"])
    func `attack: another browser's script calls to a sign-in page get 404`(_ below: String) async throws {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.browser()
            _ = try await owner.startFace()
            let outsider = try await fixture.browser()
            let path = owner.page + below
            let headers: HTTPFields = [
                .cookie: outsider.cookies, .fetchSite: "same-origin", .contentType: "application/json",
            ]
            let answer = try await fixture.send(below == "/events" ? .get : .post, path, headers)
            try fixture.harness.expect(answer, is: "operation_not_found", 404)
        }
    }

    // T-035, O-010
    @Test(arguments: ["cross-site", "same-site", ""])
    func `attack: a cross-site POST to a sign-in page gets 403 and starts nothing`(_ site: String) async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            for below in Self.forms + Self.asked {
                let answer = try await browser.press(below, "email=ada%40example.com", [.fetchSite: site])
                #expect(answer.status == .forbidden, "\(below)")
                let named = try await browser.press(below, "", [.origin: "https://evil.example.com"])
                #expect(named.status == .forbidden, "\(below)")
            }
            #expect(fixture.harness.composition.service.cache.cards { _ in true }.isEmpty)
            #expect(try await browser.load().status == .ok, "it is still open")
        }
    }

    // T-180
    @Test func `attack: a completed sign-in's pages and forms answer 410, and its passkey answer is refused again`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.harness.signUp("grace")
            let browser = try await fixture.browser()
            let options = try await browser.press("/passkey/options")
            let signed = try fixture.harness.browser.get(options.text, with: owner.credential)
            #expect(try await browser.send(passkey: signed).status == .ok)
            try fixture.harness.expect(try await browser.send(passkey: signed), is: "operation_not_found", 404)
            #expect(try await browser.comeBack()["code"] != nil)
            for below in Self.pages { #expect(try await browser.load(below).status == .gone) }
            for below in Self.forms { #expect(try await browser.press(below).status == .gone) }
        }
    }

    // T-178
    @Test func `attack: a passkey answer is accepted once, and only by the sign-in page that asked for it`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.harness.signUp("grace")
            let request = fixture.request(contextClass: .both)
            let (first, second) = (try await fixture.browser(request), try await fixture.browser(request))
            let options = try await first.press("/passkey/options")
            let signed = try fixture.harness.browser.get(options.text, with: owner.credential)
            try fixture.harness.expect(try await second.send(passkey: signed), is: "challenge_over", 400)
            let elsewhere = try await fixture.harness.signInOptions(nil)
            let forSite = try fixture.harness.browser.get(elsewhere.text, with: owner.credential)
            try fixture.harness.expect(try await first.send(passkey: forSite), is: "challenge_over", 400)
            let body = try Harness.answer(signed, to: elsewhere)
            try fixture.harness.expect(
                try await fixture.harness.post("/api/verify-authentication", body),
                is: "challenge_over",
                400
            )
            #expect(try await first.send(passkey: signed).status == .ok)
            #expect(second.session == nil)
        }
    }

    // T-180
    @Test func `two concurrent waits for one sign-in get the same session`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            try await browser.scan(try await browser.startFace())
            async let one = fixture.send(.get, browser.page + "/wait", .cookies(browser.cookies))
            async let other = fixture.send(.get, browser.page + "/wait", .cookies(browser.cookies))
            let answers = try await [one, other]
            #expect(answers.allSatisfy { $0.status == .seeOther })
            let cookies = Set(answers.compactMap(\.sessionCookies))
            #expect(cookies.count == 1, "one of them may have been too late to get any")
            let me = try await fixture.harness.send(.get, "/api/auth/me", .cookies(cookies.first))
            #expect(me.status == .ok, "\(me.text)")
            #expect(try await browser.comeBack()["code"] != nil)
            let account = try await fixture.harness.composition.accounts.show("ada@example.com").account.id
            let sessions = try await fixture.harness.composition.sessions.list(of: account, limit: 10)
            #expect(sessions.count == 1)
        }
    }

    // T-180, O-044
    @Test func `attack: of eight concurrent requests for the code of a sign-in one is redirected and seven get 410`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.harness.signUp("grace")
            let browser = try await fixture.browser()
            #expect(try await browser.show(owner.credential).status == .ok)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await fixture.send(.get, browser.page, .cookies(browser.cookies)).status.code
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.filter { (300..<400).contains($0) }.count == 1, "\(statuses)")
            #expect(statuses.filter { $0 == 410 }.count == 7, "\(statuses)")
        }
    }

    // T-176
    @Test func `attack: until it expires, a face login for an unknown address looks like one that was not opened`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let (real, decoy) = (try await fixture.browser(), try await fixture.browser())
            var pages = [try await real.startFace(), try await decoy.startFace("nobody@example.com")]
            for step in 0..<20 {
                #expect(Self.bare(pages[0], real) == Self.bare(pages[1], decoy), "\(step)")
                #expect(pages[0].status == pages[1].status && pages[0].headerNames == pages[1].headerNames)
                if step == 19 { #expect(pages[1].text.contains(#"data-code="expired""#)) }
                await fixture.harness.pass(.seconds(10))
                pages = [try await real.load("/wait"), try await decoy.load("/wait")]
            }
            #expect(try await decoy.load().status == .ok, "another way may be tried")
        }
    }

    /// A page without what is each browser's own.
    private static func bare(_ page: TestResponse, _ browser: SentBrowser) -> String {
        page.text.replacing(browser.id, with: "ID").replacing(#/\/go\/[\w-]{43}/#, with: "/go/TICKET")
    }

    // T-175
    @Test func `attack: an injected scan cookie shows no link to another browser's scan`() async throws {
        try await SignInFixture.run { fixture in
            let (ada, mallory) = (try await fixture.browser(), try await fixture.browser())
            _ = try await ada.startFace()
            let theirs = try await mallory.startFace("bob@example.com")
            let ticket = try #require(theirs.text.firstMatch(of: #/\/go\/([\w-]{43})"/#)).1
            let name = try #require(ada.jar.keys.first { $0.hasPrefix("vst_scan_") })
            ada.inject(name, String(ticket))
            let page = try await ada.load("/wait")
            #expect(page.status == .ok && !page.text.contains("/go/"))
        }
    }

    // T-175
    @Test func `attack: a sign-in page's scan can't be collected with the operation id and its landing link`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let waiting = try await browser.startFace()
            try await browser.scan(waiting)
            let id = try #require(try await fixture.operation(of: browser))
            let poll = "/auth/biometric-login/poll/\(id)"
            for headers in [HTTPFields(), Harness.proof, .cookies(browser.cookies)] {
                let answer = try await fixture.harness.send(.get, poll, headers).text
                #expect(answer.contains("pending") && !answer.contains("accessToken"))
            }
            #expect(try await browser.load("/wait").status == .seeOther)
        }
    }

    // T-179
    @Test func `attack: consent pressed with another account's mark is not given after the signed-in account changed`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let (grace, alan) = (try await fixture.harness.signUp("grace"), try await fixture.harness.signUp("alan"))
            let request = fixture.request(of: "strange")
            let browser = try await fixture.browser(request, jar: ["yapt.sid": String(grace.cookie.dropFirst(9))])
            let mark = try #require(try await browser.load().text.firstMatch(of: #/name="as" value="([\w-]{43})"/#)).1
            // Another tab, with the same cookies.
            browser.inject("yapt.sid", String(alan.cookie.dropFirst(9)))
            for fields in ["as=\(mark)", "as=", "", "as=\(String(repeating: "A", count: 43))"] {
                _ = try await browser.press("/consent", fields)
                let page = try await browser.load()
                #expect(page.status == .ok && page.text.contains("alan"), "\(fields)")
            }
        }
    }

    @Test func `fetching a page's head is refused, and a slash behind it finds nothing`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let head = try await fixture.send(.head, browser.page, .cookies(browser.cookies))
            #expect(head.status == .methodNotAllowed)
            try fixture.harness.expect(try await browser.load("/"), is: "not_found", 404)
        }
    }

    // T-175
    @Test func `attack: a scan whose account is disabled before the page collects it opens no session`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            try await browser.scan(try await browser.startFace())
            _ = try await fixture.harness.composition.accounts.disable("ada@example.com")
            let page = try await browser.load("/wait")
            #expect(page.text.contains(#"data-code="account_blocked""#), "\(page.text)")
            #expect(browser.session == nil)
            #expect(try await browser.load().text.contains(#"id="identifier""#))
        }
    }
}

extension SignInFixture {
    /// The face login that runs for that browser's interaction.
    func operation(of browser: SentBrowser) async throws -> UUIDBits? {
        let cookie = Digest256(sha256: browser.jar[CompanionCookies.interactionName] ?? "")
        return try await service.interaction(browser.id, browser: cookie)?.operation
    }
}
