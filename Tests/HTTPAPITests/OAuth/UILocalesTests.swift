import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Testing

@testable import Assembly
@testable import HTTPAPI

/// `ui_locales` (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2) on the pages of the OAuth way.
struct UILocalesTests {
    private static let swedish: HTTPFields = [.acceptLanguage: "sv"]

    @Test(arguments: [("fr", "fr"), ("fr-CA es", "fr"), ("tlh es", "es"), ("ES", "es"), ("tlh", "sv"), ("", "sv")])
    func `the first language that there is counts, and without one what the browser says`(
        _ asked: String,
        _ shown: String
    )
        async throws
    {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(uiLocales: asked.isEmpty ? nil : asked))
            #expect(try await browser.load("", Self.swedish).headers[.contentLanguage] == shown)
        }
    }

    @Test func `sign-in, waiting, consent and what goes wrong on the way are in the language that was asked for`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: "strange", uiLocales: "fr"))
            #expect(try await browser.load("", Self.swedish).headers[.contentLanguage] == "fr")
            let wrong = try await browser.press("/face", "email=nobody", Self.swedish)
            #expect(wrong.headers[.contentLanguage] == "fr", "\(wrong.text)")
            let waiting = try await browser.startFace()
            #expect(waiting.headers[.contentLanguage] == "fr")
            try await browser.scan(waiting)
            #expect(try await browser.load("/wait").status == .seeOther)
            let consent = try await browser.load("", Self.swedish)
            #expect(consent.text.contains(#"id="scopes""#), "\(consent.text)")
            #expect(consent.headers[.contentLanguage] == "fr")
        }
    }

    @Test func `the pages of the face scan are in it too, in the browser that asked, and on a phone in its own`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(uiLocales: "tlh fr"))
            let started = try await browser.press("/face", "email=ada%40example.com", Self.swedish)
            let kept = try #require(started.headers[values: .setCookie].first { $0.hasPrefix("vst_lang=") })
            let waiting = try await browser.load("/wait", Self.swedish)
            let ticket = try #require(waiting.text.firstMatch(of: #/\/go\/([\w-]{43})"/#)).1
            let mark = LanguageCookie.mark(of: "/go/\(ticket)")
            #expect(kept == "vst_lang=fr.\(mark); Path=/; Max-Age=3600; HttpOnly; SameSite=Lax")
            let own = Self.swedish.adding(.cookie, browser.cookies)
            func language(_ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields) async throws -> String? {
                let headers = headers.adding(.fetchSite, "same-origin")
                return try await fixture.harness.send(method, "/go/\(path)", headers).headers[.contentLanguage]
            }
            #expect(try await language(.get, "\(ticket)", own) == "fr")
            #expect(try await language(.get, "\(ticket)", Self.swedish) == "sv", "a phone that scanned the code")
            #expect(try await language(.get, "\(ticket)/return/\(ticket)", own) == "fr")
            #expect(try await language(.post, "\(ticket)/return/\(ticket)", own) == "fr")
            #expect(try await language(.post, "\(ticket)/not-me", own) == "fr")
            #expect(try await language(.get, "\(ticket)", own) == "fr", "and when it is over")
        }
    }

    @Test func `pages of a request that is over are in it too, and a cookie of no language of ours counts for nothing`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(uiLocales: "fr"))
            let mark = LanguageCookie.mark(of: browser.page)
            let other = try await fixture.send(.get, browser.page, Self.swedish.adding(.cookie, "vst_lang=fr.\(mark)"))
            #expect(other.status == .gone && other.headers[.contentLanguage] == "fr")
            let many = String(repeating: "fr.\(mark).", count: 2000)
            for injected in [
                "tlh.\(mark)", "", "FR.\(mark)", "fr", "fr.", ".\(mark)", "fr-FR.\(mark)", "<b>", "fr.AAAAAAAA", many,
            ] {
                let page = try await fixture.send(
                    .get,
                    browser.page,
                    Self.swedish.adding(.cookie, "vst_lang=\(injected)")
                )
                #expect(page.headers[.contentLanguage] == "sv", "\(injected)")
            }
            let values = ["xx", "es", "fr"].map { "vst_lang=\($0).\(mark)" }
            let first = Self.swedish.adding(.cookie, values.joined(separator: "; "))
            #expect(try await fixture.send(.get, browser.page, first).headers[.contentLanguage] == "es")
        }
    }

    // T-048
    @Test func `of two tabs each has its language, and the oldest of many goes by what the browser says`() async throws
    {
        try await SignInFixture.run { fixture in
            let tabs = ["fr", "es"] + Array(repeating: "en", count: 6)
            var (jar, pages) = ("", [(String, String)]())
            func open(_ language: String) async throws {
                let browser = try await fixture.browser(fixture.request(uiLocales: language), jar: ["vst_lang": jar])
                let person = "email=person\(pages.count)%40example.com"
                let started = try await browser.press("/face", person, Self.swedish)
                let kept = try #require(started.headers[values: .setCookie].first { $0.hasPrefix("vst_lang=") })
                jar = String(kept.dropFirst(9).prefix { $0 != ";" })
                let waiting = try await browser.load("/wait", Self.swedish)
                let ticket = try #require(waiting.text.firstMatch(of: #/\/go\/([\w-]{43})"/#)).1
                pages.append(("/go/\(ticket)", language))
            }
            func language(_ page: String) async throws -> String? {
                let headers = Self.swedish.adding(.cookie, "vst_lang=\(jar)")
                return try await fixture.harness.send(.get, page, headers).headers[.contentLanguage]
            }
            for tab in tabs { try await open(tab) }
            for (page, own) in pages { #expect(try await language(page) == own) }
            try await open("fr")
            #expect(try await language(pages[0].0) == "sv")
            #expect(try await language(pages[1].0) == "es")
        }
    }

    @Test func `without ui_locales no language is kept`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            _ = try await browser.startFace()
            #expect(browser.jar["vst_lang"] == nil)
        }
    }

    @Test func `the page of devices and what comes of its forms are in one language`() async throws {
        try await DeviceFixture.run { fixture in
            let (codes, ada) = (try await fixture.begin(), try await fixture.harness.signUp("ada"))
            let page = try await fixture.load("?ui_locales=tlh%20fr", ada.cookie, Self.swedish)
            #expect(page.headers[.contentLanguage] == "fr")
            #expect(page.text.contains(#"<input type="hidden" name="ui_locales" value="fr">"#))
            let kept = [("ui_locales", "fr")]
            let question = try await fixture.press(kept + [("user_code", codes.userCode)], ada.cookie)
            #expect(question.headers[.contentLanguage] == "fr" && question.text.contains(#"id="allow""#))
            let wrong = try await fixture.press(kept + [("user_code", "BBBB-BBBB")], ada.cookie)
            #expect(wrong.status == .badRequest && wrong.headers[.contentLanguage] == "fr")
            let word = try DeviceFixture.fields(of: question) + [("decision", "deny")]
            #expect(try await fixture.press(word, ada.cookie).headers[.contentLanguage] == "fr")
            let signIn = try await fixture.press(kept + [("user_code", codes.userCode)], nil)
            let path = try #require(signIn.headers[.location])
            let cookie = try #require(signIn.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let page2 = try await fixture.send(.get, "/" + path, [.cookie: cookie])
            #expect(page2.headers[.contentLanguage] == "fr", "and so is the sign-in on the way")
            let language = "vst_lang=fr.\(LanguageCookie.mark(of: "/" + path)); Path=/;"
            #expect(signIn.headers[values: .setCookie].count { $0.hasPrefix(language) } == 1, "also once that is over")
        }
    }

    @Test func `logout asks and tells in the language that was asked for`() async throws {
        try await TokenFixture.run { fixture in
            let browser = try await fixture.harness.signUp("robin")
            let query = "client_id=app&ui_locales=fr"
            let page = try await fixture.send(.get, "/oauth/logout?" + query, browser.headers)
            #expect(page.text.contains("<form") && page.headers[.contentLanguage] == "fr")
            let action = try #require(page.text.firstMatch(of: #/action="([^"]+)"/#)).1
                .replacing("&amp;", with: "&")
            let done = try await fixture.form(String(action), [], browser.headers.adding(.fetchSite, "same-origin"))
            #expect(done.status == .ok && done.headers[.contentLanguage] == "fr", "\(action)")
            let refused = try await fixture.send(.get, "/oauth/logout?client_id=nobody&ui_locales=fr")
            #expect(refused.headers[.contentLanguage] == "fr")
            let posted = try await fixture.form("/oauth/logout", [("client_id", "nobody"), ("ui_locales", "fr")])
            #expect(try #require(posted.headers[.location]).contains("ui_locales=fr"))
        }
    }
}
