import CodeFlow
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import Settings
import Testing
import Wallet
import Web
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// What a person reads who is back from a bank.
struct EnrollmentPageTests {
    private static let hostile = #""><script>alert(1)</script>&'%{{own.add}}"#

    private static func end(_ result: EnrolmentEnd.Outcome, bank: String = "Example Bank") -> EnrolmentEnd {
        EnrolmentEnd(isMobile: false, deepLink: nil, bankID: "eb", bankName: bank, result: result)
    }

    /// What stands on the page, without its head.
    private static func text(_ response: Response) async throws -> String {
        let page = String(decoding: try await response.bytes(), as: UTF8.self)
        #expect(page.hasPrefix("<!doctype html>") && !page.contains("<script"))
        let head = try #require(page.range(of: "</head>"))
        return String(page[head.upperBound...])
    }

    @Test func `each end has a page of its own that says what to do, and its code`() async throws {
        let pages = EnrollmentPages(deepLinks: [Bench.appLink])
        for texts in LocalizedStrings.all {
            var titles: Set<String> = []
            for fault in EnrolmentFault.allCases {
                let page = pages.ended(Self.end(.failure(fault)), in: texts)
                let text = try await Self.text(page)
                #expect(text.contains(#"data-code="\#(fault.rawValue)""#) && !text.contains("%"), "\(fault)")
                #expect(text.contains(#"<p role="status">"#))
                #expect(page.headers[.contentLanguage] == texts.language && !text.contains("{{"))
                titles.insert(String(try #require(text.firstMatch(of: #/<h1>([^<]+)</#)).1))
            }
            #expect(titles.count == EnrolmentFault.allCases.count)
            for refusal in CallbackError.allCases {
                let page = pages.refused(refusal, in: texts)
                #expect(page.status == .badRequest)
                #expect(try await Self.text(page).contains(#"data-code="\#(refusal.rawValue)""#))
            }
        }
        #expect(pages.ended(Self.end(.failure(.userCancelled)), in: .english).status == .ok)
        #expect(pages.ended(Self.end(.failure(.bankUnavailable)), in: .english).status == .serviceUnavailable)
        #expect(pages.ended(Self.end(.failure(.stateUsed)), in: .english).status == .gone)
    }

    @Test func `attack: the name of a bank, a network or a person is text on every page`() async throws {
        let pages = EnrollmentPages(deepLinks: [Bench.appLink])
        let cards = [BankCard(reference: "r", lastFour: "4242", network: Self.hostile)]
        let all: [Response] =
            EnrolmentFault.allCases.map { pages.ended(Self.end(.failure($0), bank: Self.hostile), in: .english) } + [
                pages.ended(Self.end(.success(cardCount: 1), bank: Self.hostile), in: .english),
                pages.ended(Self.end(.success(cardCount: 0), bank: Self.hostile), in: .english),
                pages.question(
                    token: Secret("t"),
                    owner: Self.hostile,
                    bank: Self.hostile,
                    cards: cards,
                    in: .english
                ),
                pages.question(token: Secret("t"), owner: "a", bank: Self.hostile, cards: [], in: .english),
            ]
        var shown = 0
        for page in all {
            let text = try await Self.text(page)
            if text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;%{{own.add}}") { shown += 1 }
        }
        #expect(shown == all.count, "as it is written")
    }

    @Test func `attack: a deep link of the config that is none ends no directive`() throws {
        let pages = EnrollmentPages(deepLinks: [
            "mwsim://a", "evil; script-src *://b", "no-link", "https://a.example.com/b",
        ])
        let page = pages.refused(.unknown, in: .english)
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.contains("form-action 'self' https://a.example.com mwsim:; frame-ancestors"), "\(policy)")
    }

    @Test func `a hostile name of a bank arrives in the app as it is written`() async throws {
        try await Bench.run {
            $0.banks["eb"]?.name = "Bank & Söhne?success=false#\"<b>"
        } _: { bench in
            let ada = try await bench.phone()
            let back = try await bench.comeBack(try await bench.startInApp(ada))
            #expect(back.appOutcome?["bankName"] == "Bank & Söhne?success=false#\"<b>")
            #expect(back.appOutcome?["success"] == "true")
            let location = try #require(back.headers[.location])
            #expect(!location.contains("\"") && !location.contains("<") && !location.contains("#"))
        }
    }

    @Test func `the page comes in the visitor's language, and without a script`() async throws {
        try await Bench.run { bench in
            let french: HTTPFields = [.acceptLanguage: "fr-CA, fr;q=0.9, en;q=0.5"]
            let page = try await bench.send(.get, "\(Bench.enrollment)/callback/eb?state=x&code=c", french)
            #expect(page.text.contains("<h1>Cela ne mène nulle part</h1>") && page.headers[.contentLanguage] == "fr")
            #expect(!page.text.contains("<script"))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && !policy.contains("script-src"))
        }
    }
}
