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
        for (page, name) in [
            ("sign-in-identifier", "authorize.js"), ("sign-in-ways", "authorize-ways.js"),
            ("sign-in-offer", "authorize-offer.js"), ("sign-in-up", "authorize-up.js"),
            ("sign-in-wait", "authorize-wait.js"),
        ] {
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

    @Test func `the page of a scan's progress has what the scripts look for, but for a code`() throws {
        let markup = try #require(PageMarkup.markups["scan"])
        let scripts = ["scan-wait.js", "progress.js", "page.js"].compactMap { WebAssets.modules[$0] }.joined()
        // A code is on pages of other devices only, and what takes its place as well.
        let ofCodes = ["elsewhere", "there", "scan"]
        for place in scripts.matches(of: #/element\("([\w-]+)"\)/#).map({ String($0.1) })
        where !ofCodes.contains(place) {
            #expect(markup.contains(#"id="\#(place)""#), "\(place)")
        }
    }

    // T-038
    @Test(arguments: LocalizedStrings.builtIn.map(\.language))
    func `attack: hostile client names and scopes are escaped on every sign-in page`(_ language: String) async throws {
        let texts = try #require(LocalizedStrings.builtIn.first { $0.language == language })
        let (name, pages) = (#"<b onclick="x">%#</b>"#, SignInPages())
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
        let signIn = Self.context(of: client, at: place, in: texts)
        let asking = SignInPages.Identifying(signIn: signIn, offersPasskey: true, opensAccounts: true)
        var signUp = SignInPages.SignUp()
        (signUp.email, signUp.name, signUp.fault) = (name, name, .emailTaken)
        let all = [
            pages.identifier(.init(typed: name, fault: .identifierWrong), asking),
            pages.ways(Self.everyWay(of: name), of: signIn), pages.offer(of: signIn, waits: true),
            pages.signUp(signUp, SignInRegistration(takesPasskeys: true, passwords: nil), of: signIn),
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
        let client = OAuthClient(
            id: "x",
            name: "Our App",
            origin: .config,
            authentication: .none,
            access: OAuthClient.Access(grants: [.authorizationCode], scopes: ScopeSet([]), audience: "x")
        )
        let signIn = Self.context(of: client, at: PageLocation(id: "a", isBelow: false), in: .english)
        let page = SignInPages().identifier(
            .init(typed: hint),
            .init(signIn: signIn, offersPasskey: true, opensAccounts: true)
        )
        let scalars = Array(String(decoding: try await page.bytes(), as: UTF8.self).unicodeScalars)
        let marks = scalars.indices.filter { $0 > 0 && ["\u{301}", "\u{338}"].contains(scalars[$0]) }
        #expect(marks.count == 3 && marks.allSatisfy { scalars[$0 - 1] != "\"" })
    }

    static func everyWay(of name: String) -> SignInPages.Ways {
        let kinds: [SignInPages.Way.Kind] = SignInWay.allCases.map { .way($0) } + [.newPasskey, .enrolment]
        let items = kinds.map { SignInPages.Way($0, isLastUsed: true) }
        return SignInPages.Ways(identifier: name, items: items, hint: name, fault: .wait(.seconds(61)))
    }

    /// An interaction in which nothing has happened.
    static func context(
        of client: OAuthClient,
        at location: PageLocation,
        in texts: LocalizedStrings
    ) -> SignInContext {
        let request = AuthorizationRequest(
            clientID: client.id,
            redirectURI: "https://app.example.com/done",
            namesRedirectURI: true,
            responseMode: .query,
            state: nil,
            scopes: ScopeSet([]),
            resources: [],
            codeChallenge: nil,
            nonce: nil,
            prompts: [],
            maxAge: nil,
            contextClass: nil,
            isContextClassEssential: false,
            loginHint: nil,
            hintedAccount: nil,
            proofKey: nil,
            uiLocales: nil
        )
        let interaction = Interaction(
            id: .zero,
            browser: .zero,
            request: request,
            proven: nil,
            operation: nil,
            consentedBy: nil,
            createdAt: Instant(milliseconds: 0),
            expiresAt: Instant(milliseconds: 600_000)
        )
        return SignInContext(
            interaction: interaction,
            client: client,
            session: nil,
            location: location,
            texts: texts,
            requester: "en"
        )
    }
}
