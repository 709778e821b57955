import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import OAuth
import Operations
import Testing

@testable import HTTPAPI
@testable import Web

/// The markup of the sign-in page of authorization requests.
struct SignInTextTests {
    @Test func `what a page's script looks for is in the page`() throws {
        for (page, name) in [("sign-in-choice", "authorize.js"), ("sign-in-wait", "authorize-wait.js")] {
            let markup = try #require(PageMarkup.markups[page])
            #expect(markup.contains("{{site.assets}}/\(name)"))
            let ids = markup.matches(of: #/\sid="([\w-]+)"/#).map { String($0.1) }
            #expect(ids.count == Set(ids).count, "each once")
            let scripts = try #require(WebAssets.modules[name]) + (WebAssets.modules["page.js"] ?? "")
            for place in scripts.matches(of: #/element\("([\w-]+)"\)/#).map({ String($0.1) }) {
                #expect(ids.contains(place), "\(name): \(place)")
            }
        }
        let waiting = try #require(WebAssets.modules["progress.js"])
        for place in waiting.matches(of: #/element\("([\w-]+)"\)/#).map({ String($0.1) }) {
            #expect(PageMarkup.markups["sign-in-wait"]?.contains(#"id="\#(place)""#) == true, "\(place)")
        }
    }

    // T-038
    @Test(arguments: LocalizedStrings.all.map(\.language))
    func `attack: hostile client names and scopes are escaped on every sign-in page`(_ language: String) async throws {
        let texts = try #require(LocalizedStrings.all.first { $0.language == language })
        let (name, pages) = (#"<b onclick="x">%#</b>"#, SignInPages(site: "Vestibule"))
        let place = PageLocation(id: String(repeating: "a", count: 43), isBelow: true)
        let consent = SignInPages.Consent(scopes: [name], person: name, address: name, mark: "m")
        let client = OAuthClient(
            id: "x",
            name: name,
            origin: .registered,
            authentication: .none,
            access: OAuthClient.Access(grants: [.authorizationCode], scopes: ScopeSet([]), audience: "x")
        )
        let wait = SignInPages.Wait(hint: .providerDegraded, timeLeft: .seconds(61), scan: name, number: "07")
        let all = [
            pages.choice(
                .init(ways: [.face, .passkey], isSecond: false, email: name, fault: .emailWrong),
                of: name,
                at: place,
                in: texts
            ),
            pages.wait(wait, of: name, at: place, in: texts),
            pages.failed(.expired, of: name, at: place, in: texts),
            pages.consent(consent, of: client, at: place, in: texts), pages.onward(to: name, at: place, in: texts),
        ]
        for page in all + SignInNotice.allCases.map({ pages.notice($0, at: place, in: texts) }) {
            let text = String(decoding: try await page.bytes(), as: UTF8.self)
            #expect(text.contains(#"<html lang="\#(language)">"#) && text.contains("</html>"))
            #expect(!text.contains("<b ") && !text.contains("{{") && !text.contains("}}"))
            let bare = text.replacing(#/"[^"]*"/#, with: "\"\"")
            #expect(bare.firstMatch(of: #/<[a-z]+[^>]*\son[a-z]+=/#) == nil, "no handlers in attributes")
            #expect(!text.contains("<style") && !text.contains(" style=") && !text.contains("javascript:"))
            #expect(page.headers[.contentSecurityPolicy] == SitePages.policy)
        }
    }

    // T-038
    @Test func `attack: a quotation mark followed by a combining accent is escaped in attributes`() async throws {
        let hint = "x\"\u{301} formaction=\"\u{301}https://evil.example.com\"\u{338} y"
        let page = SignInPages(site: "Vestibule").choice(
            .init(ways: [.face, .passkey], isSecond: false, email: hint),
            of: "Our App",
            at: PageLocation(id: "a", isBelow: false),
            in: .english
        )
        let scalars = Array(String(decoding: try await page.bytes(), as: UTF8.self).unicodeScalars)
        let marks = scalars.indices.filter { $0 > 0 && ["\u{301}", "\u{338}"].contains(scalars[$0]) }
        #expect(marks.count == 3 && marks.allSatisfy { scalars[$0 - 1] != "\"" })
    }
}
