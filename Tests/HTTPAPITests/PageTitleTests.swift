import HTTPTypes
import HummingbirdTesting
import NIOCore
import Operations
import Settings
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI

/// The title of every page, which names the owner, so that a tab, a bookmark and a screen reader say whose it is.
struct PageTitleTests {
    private static let browser: HTTPFields = [.accept: "text/html", .acceptLanguage: "en"]

    /// Checks a page's title, and returns whether the answer is a page.
    private static func check(_ answer: TestResponse, _ address: String) -> Bool {
        guard answer.headers[.contentType]?.hasPrefix("text/html") == true else { return false }
        let titles = answer.text.matches(of: #/<title>([^<]*)<\/title>/#).map { String($0.1) }
        #expect(titles.count == 1, "\(address)")
        #expect(titles.allSatisfy { $0.hasSuffix(" – The Owner") && !$0.hasPrefix(" ") }, "\(address): \(titles)")
        #expect(!titles.contains { $0.contains("Vestibule") }, "\(address): \(titles)")
        return true
    }

    @Test func `the page of every route, and of every error of one, has the owner's name in its title`() async throws {
        try await Harness.run {
            $0.theme.name = "The Owner"
        } _: { harness in
            let odd = try #require(HTTPRequest.Method("PROPFIND"))
            var (pages, errors) = (0, 0)
            for template in Set(harness.api.table.routes.map(\.template)).sorted() {
                let path = template.replacing(#/\{[^}]*\}/#, with: "x")
                for method in [.get, .post, odd] {
                    let answer = try await harness.send(method, path, Self.browser)
                    guard Self.check(answer, "\(method) \(path)") else { continue }
                    if answer.status == .ok { pages += 1 } else { errors += 1 }
                }
            }
            #expect(pages >= 5 && errors >= 16, "\(pages) pages and \(errors) pages of errors")
            #expect(Self.check(try await harness.send(.get, "/no/such/page", Self.browser), "no page"))
        }
    }

    @Test func `the pages of a login's link have the owner's name in their titles`() async throws {
        try await Harness.run {
            $0.theme.name = "The Owner"
            $0.faceLogin.landing = .confirm
        } _: { harness in
            let login = try await harness.start()
            let ours = Self.browser.adding(.fetchSite, "same-origin")
            let asked = try await harness.send(.get, login.landingPath, Self.browser)
            #expect(Self.check(asked, "the question"))
            let denied = try await harness.send(.post, "\(login.landingPath)/not-me", ours)
            #expect(Self.check(denied, "the denial"))
            let late = try await harness.send(.get, login.landingPath, Self.browser)
            #expect(Self.check(late, "the link afterwards"))
        }
    }
}
