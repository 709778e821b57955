import CodeFlow
import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import Testing
import Web

@testable import HTTPAPI
@testable import Wallet

/// The pages for a person who is back from a bank.
struct EnrollmentPagesTests {
    private static let hostile = #""><script>alert(1)</script>&'%{{own.add}}"#

    private static func end(_ result: EnrolmentEnd.Outcome, bank: String = "Example Bank") -> EnrolmentEnd {
        EnrolmentEnd(destination: .page, bankID: "eb", bankName: bank, result: result)
    }

    /// The text of the page, without its head.
    private static func text(_ response: Response) async throws -> String {
        let page = String(decoding: try await response.bytes(), as: UTF8.self)
        #expect(page.hasPrefix("<!doctype html>") && !page.contains("<script"))
        let head = try #require(page.range(of: "</head>"))
        return String(page[head.upperBound...])
    }

    @Test func `each end has a page of its own that says what to do, and its code`() async throws {
        let pages = EnrollmentPages(deepLinks: ["mwsim://enrollment/callback"])
        for texts in LocalizedStrings.builtIn {
            var titles: Set<String> = []
            for fault in BankLinkError.allCases {
                let page = pages.ended(Self.end(.failure(fault)), in: texts)
                let text = try await Self.text(page)
                #expect(text.contains(#"data-code="\#(fault.rawValue)""#) && !text.contains("%"), "\(fault)")
                #expect(text.contains(#"<p role="status">"#))
                #expect(page.headers[.contentLanguage] == texts.language && !text.contains("{{"))
                titles.insert(String(try #require(text.firstMatch(of: #/<h1>([^<]+)</#)).1))
            }
            #expect(titles.count == BankLinkError.allCases.count)
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

    // T-038
    @Test func `attack: hostile names of banks, networks and people are escaped on every enrolment page`() async throws
    {
        let pages = EnrollmentPages(deepLinks: ["mwsim://enrollment/callback"])
        let cards = [BankCard(reference: "r", lastFour: "4242", network: Self.hostile)]
        let all: [Response] =
            BankLinkError.allCases.map { pages.ended(Self.end(.failure($0), bank: Self.hostile), in: .english) } + [
                pages.ended(Self.end(.success(cardCount: 1), bank: Self.hostile), in: .english),
                pages.ended(Self.end(.success(cardCount: 0), bank: Self.hostile), in: .english),
                pages.question(token: Secret("t"), owner: Self.hostile, bank: Self.hostile, cards: cards, in: .english),
                pages.question(token: Secret("t"), owner: "a", bank: Self.hostile, cards: [], in: .english),
            ]
        var shown = 0
        for page in all {
            let text = try await Self.text(page)
            if text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;%{{own.add}}") { shown += 1 }
        }
        #expect(shown == all.count, "as it is written")
    }

    // T-038
    @Test func `attack: a malformed deep link in the config does not change the page's content security policy`() throws
    {
        let pages = EnrollmentPages(deepLinks: [
            "mwsim://a", "evil; script-src *://b", "no-link", "https://a.example.com/b",
        ])
        let page = pages.refused(.unknown, in: .english)
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.contains("form-action 'self' https://a.example.com mwsim:; frame-ancestors"), "\(policy)")
    }
}
