import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import Web

@testable import HTTPAPI

/// The pages that people come to by themselves.
struct SitePageContentTests {
    /// Runs `body` with the pages and what they load.
    private static func run(
        listsUsers: Bool = false,
        _ body: @Sendable (OpenServer) async throws -> Void
    ) async throws {
        let settings = SiteSettings(
            rpID: "localhost",
            listsUsers: listsUsers,
            offersFace: true,
            offersAccount: true,
            showsSettings: true
        )
        try await OpenServer.run(SiteAPI(settings).routes + AssetAPI().routes, body)
    }

    @Test(arguments: SitePage.rendered)
    func `a page is there in every language, for everybody alike`(_ page: SitePage) async throws {
        try await Self.run { server in
            var titles: Set<String> = []
            for texts in LocalizedStrings.builtIn {
                let answer = try await server.send(.get, page.path, [.acceptLanguage: texts.language])
                #expect(answer.status == .ok && answer.headers[.contentType] == "text/html; charset=utf-8")
                #expect(answer.headers[.contentLanguage] == texts.language)
                #expect(answer.headers[.vary] == "Accept-Language" && answer.headers[.cacheControl] == "no-store")
                #expect(answer.headers[.setCookie] == nil)
                #expect(answer.text.contains(#"<html lang="\#(texts.language)">"#))
                let title = texts[page.title]
                #expect(answer.text.contains("<title>\(title) – Vestibule</title>"))
                #expect(!answer.text.contains("{{") && !answer.text.contains("}}"), "each word has its place")
                titles.insert(title)
                let head = try await server.send(.head, page.path, [.acceptLanguage: texts.language])
                #expect(head.status == .ok && head.body.readableBytes == 0)
            }
            #expect(titles.count == LocalizedStrings.builtIn.count)
        }
    }

    // T-038, T-039
    @Test(arguments: SitePage.rendered)
    func `attack: the content security policy of every site page allows its own files alone`(
        _ page: SitePage
    ) async throws {
        try await Self.run { server in
            let answer = try await server.send(.get, page.path)
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
            let directives = Set(policy.split(separator: ";").map { $0.drop { $0 == " " } })
            for directive in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'",
                "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
            ] {
                #expect(directives.contains(Substring(directive)), "\(directive)")
            }
            #expect(answer.headers[our: .crossOriginOpenerPolicy] == "same-origin")
            #expect(answer.headers[our: .referrerPolicy] == "same-origin")
            let text = answer.text
            #expect(text.matches(of: #/<script/#).count == 1 && text.contains(#"<script type="module" src="assets/"#))
            for inline in ["<style", " style=", "javascript:", "http:", "https:", "//"] {
                #expect(!text.contains(inline), "\(inline)")
            }
            #expect(text.firstMatch(of: #/\son[a-z]+=/#) == nil, "no handlers in attributes")
        }
    }

    @Test(arguments: SitePage.rendered)
    func `everything that a page loads is there, and what its script looks for too`(_ page: SitePage) async throws {
        try await Self.run(listsUsers: true) { server in
            let text = try await server.send(.get, page.path).text
            let files = text.matches(of: #/(?:src|href)="(assets\/[^"]+)"/#).map { "/" + $0.1 }
            #expect(files.count == 5, "script, style and three icons")
            for file in files { #expect(try await server.send(.get, file).status == .ok, "\(file)") }
            let links = text.matches(of: #/<a [^>]*href="([^"#]+)"/#).map { String($0.1) }
            for link in Set(links) {
                let path = link == "./" ? "/" : "/" + link
                #expect(path == "/account" || SitePage.allCases.contains { $0.path == path }, "\(link)")
            }
            let ids = text.matches(of: #/\sid="([\w-]+)"/#).map { String($0.1) }
            #expect(ids.count == Set(ids).count, "each once")
            let script = try #require(WebAssets.modules[page.script])
            for place in script.matches(of: #/element\("([\w-]+)"\)/#).map({ String($0.1) }) {
                #expect(ids.contains(place), "\(page.script): \(place)")
            }
            for place in text.matches(of: #/(?:for|aria-labelledby|aria-describedby)="([\w -]+)"/#) {
                for id in place.1.split(separator: " ") { #expect(ids.contains(String(id)), "\(id)") }
            }
        }
    }

    @Test func `the home page is where the published site has it too`() async throws {
        try await Self.run { server in
            let page = try await server.send(.get, "/index.html")
            #expect(page.status == .ok)
            #expect(page.text == (try await server.send(.get, "/").text))
        }
    }

    @Test func `a page has one path`() async throws {
        try await Self.run { server in
            for path in ["/passkeys/", "/login.html/", "/face//", "/Passkeys", "/index.html/", "/signup"] {
                try server.expect(try await server.send(.get, path), is: "not_found", 404, "\(path)")
            }
        }
    }

    @Test func `a page says to browsers and readers what it is`() async throws {
        try await Self.run { server in
            for page in SitePage.rendered {
                let text = try await server.send(.get, page.path).text
                #expect(text.contains(#"<meta name="viewport" content="width=device-width, initial-scale=1">"#))
                #expect(text.contains(#"id="status" class="status" role="status""#), "\(page)")
                #expect(text.contains(#"id="fault" class="fault" role="alert""#), "\(page)")
                #expect(text.contains(##"<a class="skip" href="#main">"##) && text.contains(#"<main id="main""#))
                #expect(text.matches(of: #/<a [^>]*aria-current="page"/#).count == 1, "\(page)")
                #expect(text.contains("<noscript>"))
            }
        }
    }
}
