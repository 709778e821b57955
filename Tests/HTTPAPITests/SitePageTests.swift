import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Settings
import Testing
import Web

@testable import HTTPAPI
@testable import Vestibule

/// The pages that people come to by themselves.
struct SitePageTests {
    @Test(arguments: SitePage.allCases)
    func `a page is there in every language, for everybody alike`(_ page: SitePage) async throws {
        try await Bench.run { bench in
            var titles: Set<String> = []
            for texts in LocalizedStrings.all {
                let answer = try await bench.send(.get, page.path, [.acceptLanguage: texts.language])
                #expect(answer.status == .ok && answer.headers[.contentType] == "text/html; charset=utf-8")
                #expect(answer.headers[.contentLanguage] == texts.language)
                #expect(answer.headers[.vary] == "Accept-Language" && answer.headers[.cacheControl] == "no-store")
                #expect(answer.headers[.setCookie] == nil)
                #expect(answer.text.contains(#"<html lang="\#(texts.language)">"#))
                let title = texts[page.title]
                #expect(answer.text.contains("<title>\(title) · Vestibule</title>"))
                #expect(!answer.text.contains("{{") && !answer.text.contains("}}"), "each word has its place")
                titles.insert(title)
                let head = try await bench.send(.head, page.path, [.acceptLanguage: texts.language])
                #expect(head.status == .ok && head.body.readableBytes == 0)
            }
            #expect(titles.count == LocalizedStrings.all.count)
        }
    }

    @Test(arguments: SitePage.allCases)
    func `attack: nothing in a page runs, or comes from elsewhere, but its files`(_ page: SitePage) async throws {
        try await Bench.run { bench in
            let answer = try await bench.send(.get, page.path)
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
            let directives = Set(policy.split(separator: ";").map { $0.drop { $0 == " " } })
            for directive in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'",
                "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
            ] {
                #expect(directives.contains(Substring(directive)), "\(directive)")
            }
            #expect(answer.headers[.named("Cross-Origin-Opener-Policy")] == "same-origin")
            #expect(answer.headers[.referrerPolicy] == "same-origin")
            let text = answer.text
            #expect(text.matches(of: #/<script/#).count == 1 && text.contains(#"<script type="module" src="assets/"#))
            for inline in ["<style", " style=", "javascript:", "http:", "https:", "//"] {
                #expect(!text.contains(inline), "\(inline)")
            }
            #expect(text.firstMatch(of: #/\son[a-z]+=/#) == nil, "no handlers in attributes")
        }
    }

    @Test(arguments: SitePage.allCases)
    func `everything that a page loads is there, and what its script looks for too`(_ page: SitePage) async throws {
        try await Bench.run {
            $0.passkeys.listUsers = true
        } _: { bench in
            let text = try await bench.send(.get, page.path).text
            let files = text.matches(of: #/(?:src|href)="(assets\/[^"]+)"/#).map { "/" + $0.1 }
            #expect(files.count == 3, "script, style and icon")
            for file in files { #expect(try await bench.send(.get, file).status == .ok, "\(file)") }
            let links = text.matches(of: #/<a [^>]*href="([^"#]+)"/#).map { String($0.1) }
            for link in Set(links) {
                let path = link == "./" ? "/" : "/" + link
                #expect(SitePage.allCases.contains { $0.path == path }, "\(link)")
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
        try await Bench.run { bench in
            let page = try await bench.send(.get, "/index.html")
            #expect(page.status == .ok)
            #expect(page.text == (try await bench.send(.get, "/").text))
        }
    }

    @Test func `a page has one path`() async throws {
        try await Bench.run { bench in
            for path in ["/passkeys/", "/login.html/", "/face//", "/Passkeys", "/index.html/", "/signup"] {
                try bench.expect(try await bench.send(.get, path), is: "not_found", 404, "\(path)")
            }
        }
    }

    @Test func `a page says to browsers and readers what it is`() async throws {
        try await Bench.run { bench in
            for page in SitePage.allCases {
                let text = try await bench.send(.get, page.path).text
                #expect(text.contains(#"<meta name="viewport" content="width=device-width, initial-scale=1">"#))
                #expect(text.contains(#"id="status" class="status" role="status""#), "\(page)")
                #expect(text.contains(#"id="fault" class="fault" role="alert""#), "\(page)")
                #expect(text.contains(##"<a class="skip" href="#main">"##) && text.contains(#"<main id="main""#))
                #expect(text.matches(of: #/<a [^>]*aria-current="page"/#).count == 1, "\(page)")
                #expect(text.contains("<noscript>"))
            }
            let signIn = try await bench.send(.get, SitePage.signIn.path).text
            #expect(signIn.contains(#"autocomplete="username webauthn""#), "browsers offer passkeys in this field")
            #expect(signIn.contains(#"autocomplete="one-time-code""#), "and the code of a mail in this one")
        }
    }

    @Test func `the form of a new passkey has every setting and value that options take`() async throws {
        try await Bench.run { bench in
            let text = try await bench.send(.get, SitePage.signUp.path).text
            let names = Set(text.matches(of: #/<(?:input|select)[^>]* name="(\w+)"/#).map { String($0.1) })
            #expect(
                names == [
                    "username", "attestationType", "userVerification", "residentKey", "authenticatorAttachment",
                    "preferredAuthenticatorType", "timeout", "supportedAlgorithmIDs", "customRpName", "customRpID",
                ]
            )
            for choice in text.matches(of: #/<select id="(\w+)"[^>]*>(.*?)</select>/#) {
                for value in choice.2.matches(of: #/<option[^>]*>([^<]+)</#).map({ String($0.1) }) {
                    let order = #"{"username":"grace","\#(choice.1)":"\#(value)"}"#
                    let answer = try await bench.post("/api/generate-registration-options", order)
                    #expect(answer.status == .ok, "\(order): \(answer.text)")
                }
            }
            for number in text.matches(of: #/name="supportedAlgorithmIDs" value="(-\d+)"/#).map({ String($0.1) }) {
                let order = #"{"username":"grace","supportedAlgorithmIDs":[\#(number)]}"#
                let answer = try await bench.post("/api/generate-registration-options", order)
                #expect(answer.status == .ok, "\(order): \(answer.text)")
            }
        }
    }

    @Test func `everybody is listed only where the operator wants it`() async throws {
        try await Bench.run { bench in
            let home = try await bench.send(.get, "/").text
            #expect(!home.contains(#"id="users""#))
        }
        try await Bench.run {
            $0.passkeys.listUsers = true
        } _: { bench in
            let home = try await bench.send(.get, "/").text
            #expect(home.contains(#"id="users""#))
        }
    }

    @Test func `without the surface of faces there is no page for them, and no link to it`() async throws {
        try await Bench.run {
            $0.surfaces["bbms"]?.enabled = false
        } _: { bench in
            try bench.expect(try await bench.send(.get, "/face"), is: "not_found", 404)
            for page in SitePage.allCases where page != .face {
                #expect(try await !bench.send(.get, page.path).text.contains(#"href="face""#), "\(page)")
            }
        }
    }

    @Test func `without the surface that they speak there are no pages`() async throws {
        try await Bench.run {
            $0.surfaces["passkeys"]?.enabled = false
        } _: { bench in
            for page in SitePage.allCases {
                try bench.expect(try await bench.send(.get, page.path), is: "not_found", 404)
            }
        }
    }

    @Test func `what the config says is shown as text, and never as markup`() async throws {
        try await Bench.run {
            $0.passkeys.relyingParty.name = #"<b>"&'"#
        } _: { bench in
            for page in SitePage.allCases {
                let text = try await bench.send(.get, page.path).text
                #expect(!text.contains("<b>") && text.contains("&lt;b&gt;"), "\(page)")
            }
        }
    }
}
