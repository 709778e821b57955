import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Testing

@testable import HTTPAPI
@testable import Vestibule

/// `ui_locales` (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2) on the pages of the OAuth way.
struct UILocalesTests {
    private static let swedish: HTTPFields = [.acceptLanguage: "sv"]

    @Test(arguments: [
        ("fr", "fr"), ("fr-CA es", "fr"), ("tlh es", "es"), ("ES", "es"), ("tlh", "sv"), ("", "sv"),
    ])
    func `the first language that there is counts, and without one what the browser says`(
        _ asked: String,
        _ shown: String
    )
        async throws
    {
        try await SignInStage.run { stage in
            let browser = try await stage.browser(stage.request(uiLocales: asked.isEmpty ? nil : asked))
            #expect(try await browser.load("", Self.swedish).headers[.contentLanguage] == shown)
        }
    }

    @Test func `sign-in, waiting, consent and what goes wrong on the way are in the language that was asked for`()
        async throws
    {
        try await SignInStage.run { stage in
            let browser = try await stage.browser(stage.request(of: "strange", uiLocales: "fr"))
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
        try await SignInStage.run { stage in
            let browser = try await stage.browser(stage.request(uiLocales: "tlh fr"))
            let started = try await browser.press("/face", "email=ada%40example.com", Self.swedish)
            let kept = try #require(started.headers[values: .setCookie].first { $0.hasPrefix("vst_lang=") })
            let waiting = try await browser.load("/wait", Self.swedish)
            let ticket = try #require(waiting.text.firstMatch(of: #/\/go\/([\w-]{43})"/#)).1
            #expect(kept == "vst_lang=fr; Path=/go/\(ticket); Max-Age=3600; HttpOnly; SameSite=Lax")
            let own = Self.swedish.adding(.cookie, browser.cookies)
            func language(_ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields) async throws -> String? {
                let headers = headers.adding(.fetchSite, "same-origin")
                return try await stage.bench.send(method, "/go/\(path)", headers).headers[.contentLanguage]
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
        try await SignInStage.run { stage in
            let browser = try await stage.browser(stage.request(uiLocales: "fr"))
            let other = try await stage.send(.get, browser.page, Self.swedish.adding(.cookie, "vst_lang=fr"))
            #expect(other.status == .gone && other.headers[.contentLanguage] == "fr")
            for planted in ["tlh", "", "FR", "fr-FR", "<b>", String(repeating: "fr", count: 2000)] {
                let page = try await stage.send(.get, browser.page, Self.swedish.adding(.cookie, "vst_lang=\(planted)"))
                #expect(page.headers[.contentLanguage] == "sv", "\(planted)")
            }
            let first = Self.swedish.adding(.cookie, "vst_lang=xx; vst_lang=es; vst_lang=fr")
            #expect(try await stage.send(.get, browser.page, first).headers[.contentLanguage] == "es")
        }
    }

    @Test func `without ui_locales no language is kept`() async throws {
        try await SignInStage.run { stage in
            let browser = try await stage.browser()
            _ = try await browser.startFace()
            #expect(browser.jar["vst_lang"] == nil)
        }
    }

    @Test func `the page of devices and what comes of its forms are in one language`() async throws {
        try await DeviceStage.run { stage in
            let (codes, ada) = (try await stage.begin(), try await stage.bench.signUp("ada"))
            let page = try await stage.load("?ui_locales=tlh%20fr", ada.cookie, Self.swedish)
            #expect(page.headers[.contentLanguage] == "fr")
            #expect(page.text.contains(#"<input type="hidden" name="ui_locales" value="fr">"#))
            let kept = [("ui_locales", "fr")]
            let question = try await stage.press(kept + [("user_code", codes.userCode)], ada.cookie)
            #expect(question.headers[.contentLanguage] == "fr" && question.text.contains(#"id="allow""#))
            let wrong = try await stage.press(kept + [("user_code", "BBBB-BBBB")], ada.cookie)
            #expect(wrong.status == .badRequest && wrong.headers[.contentLanguage] == "fr")
            let word = try DeviceStage.fields(of: question) + [("decision", "deny")]
            #expect(try await stage.press(word, ada.cookie).headers[.contentLanguage] == "fr")
            let signIn = try await stage.press(kept + [("user_code", codes.userCode)], nil)
            let path = try #require(signIn.headers[.location])
            let cookie = try #require(signIn.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let page2 = try await stage.send(.get, "/" + path, [.cookie: cookie])
            #expect(page2.headers[.contentLanguage] == "fr", "and so is the sign-in on the way")
            let cookies = signIn.headers[values: .setCookie].filter { $0.hasPrefix("vst_lang=fr; Path=/\(path);") }
            #expect(cookies.count == 1, "also once that is over")
        }
    }

    @Test func `logout asks and tells in the language that was asked for`() async throws {
        try await TokenStage.run { stage in
            let browser = try await stage.bench.signUp("robin")
            let query = "client_id=app&ui_locales=fr"
            let page = try await stage.send(.get, "/oauth/logout?" + query, browser.headers)
            #expect(page.text.contains("<form") && page.headers[.contentLanguage] == "fr")
            let action = try #require(page.text.firstMatch(of: #/action="([^"]+)"/#)).1
                .replacing("&amp;", with: "&")
            let done = try await stage.form(String(action), [], browser.headers.adding(.fetchSite, "same-origin"))
            #expect(done.status == .ok && done.headers[.contentLanguage] == "fr", "\(action)")
            let refused = try await stage.send(.get, "/oauth/logout?client_id=nobody&ui_locales=fr")
            #expect(refused.headers[.contentLanguage] == "fr")
            let posted = try await stage.form("/oauth/logout", [("client_id", "nobody"), ("ui_locales", "fr")])
            #expect(try #require(posted.headers[.location]).contains("ui_locales=fr"))
        }
    }
}
