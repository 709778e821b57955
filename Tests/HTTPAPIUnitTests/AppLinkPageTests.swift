import HTTPTypes
import Hummingbird
import NIOCore
import Testing
import Web

@testable import HTTPAPI

/// The page between this server and an app.
struct AppLinkPageTests {
    private static func request(accept: String?) -> Request {
        var headers: HTTPFields = [:]
        headers[.accept] = accept
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: headers)
        return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    }

    private static let browser = request(accept: "text/html,application/xhtml+xml,*/*;q=0.8")

    @Test func `a browser that goes to an app's own scheme gets a page with a button`() async throws {
        let link = "com.example.app:/done?a=1&code=\"><script>"
        for texts in LocalizedStrings.builtIn {
            for ending in [AppLinkPage.Ending.login, .loginInApp, .cardsAdded, .cardsNotAdded] {
                let page = AppLinkPage.onward(
                    to: "com.example.app:/done?a=1&b=2",
                    ending: ending,
                    for: Self.browser,
                    in: texts
                )
                let text = String(decoding: try await page.bytes(), as: UTF8.self)
                #expect(page.status == .ok && page.headers[.location] == nil)
                #expect(page.headers[.cacheControl] == "no-store", "the address is a bearer secret")
                #expect(text.contains(#"href="com.example.app:/done?a=1&amp;b=2""#) && !text.contains("{{"))
                #expect(text.contains(#"content="0;url=com.example.app:/done?a=1&amp;b=2""#))
                #expect(page.headers[.contentSecurityPolicy]?.contains("script-src") == false)
            }
        }
        let hostile = AppLinkPage.onward(to: link, ending: .login, for: Self.browser, in: .english)
        #expect(String(decoding: try await hostile.bytes(), as: UTF8.self).contains("<script>") == false)
    }

    @Test func `a redirect to an app's own scheme has the page for browsers that stay, and a web address none`()
        async throws
    {
        let address = "com.example.app:/cb?code=a&state=b"
        let redirect = AppLinkPage.redirect(to: address, ending: .loginInApp, in: .english)
        #expect(redirect.status == .seeOther && redirect.headers[.location] == address)
        #expect(redirect.headers[.cacheControl] == "no-store")
        let text = String(decoding: try await redirect.bytes(), as: UTF8.self)
        #expect(text.contains(#"href="com.example.app:/cb?code=a&amp;state=b""#))
        let web = AppLinkPage.redirect(to: "https://app.example.com/cb", ending: .loginInApp, in: .english)
        #expect(web.status == .seeOther && web.headers[.location] == "https://app.example.com/cb")
        #expect(try await web.bytes().isEmpty)
    }

    @Test(arguments: [nil, "application/json", "*/*"])
    func `a program gets the redirect`(_ accept: String?) {
        let answer = AppLinkPage.onward(
            to: "mwsim://enrollment/callback?success=true",
            ending: .cardsAdded,
            for: Self.request(accept: accept),
            in: .english
        )
        #expect(answer.status == .seeOther)
        #expect(answer.headers[.location] == "mwsim://enrollment/callback?success=true")
    }

    @Test(arguments: [
        "https://app.example.com/done", "http://localhost:3000/", "HTTPS://app.example.com/", "javascript:alert(1)",
        "JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd", "blob:x", "done", ":x", "",
    ])
    func `a web address, and a scheme of the browser's own, are never on the page`(_ address: String) {
        #expect(!AppLinkPage.isOwnScheme(address))
        #expect(AppLinkPage.onward(to: address, ending: .login, for: Self.browser, in: .english).status == .seeOther)
    }
}
