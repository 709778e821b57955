import HTTPTypes
import HummingbirdTesting
import NIOCore
import Settings
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI

/// Which of the site's pages the config serves, and what it changes in them.
struct SitePageTests {
    @Test func `the form of a new passkey has every setting and value that options take`() async throws {
        try await Harness.run { harness in
            let text = try await harness.send(.get, SitePage.signUp.path).text
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
                    let answer = try await harness.post("/api/generate-registration-options", order)
                    #expect(answer.status == .ok, "\(order): \(answer.text)")
                }
            }
            for number in text.matches(of: #/name="supportedAlgorithmIDs" value="(-\d+)"/#).map({ String($0.1) }) {
                let order = #"{"username":"grace","supportedAlgorithmIDs":[\#(number)]}"#
                let answer = try await harness.post("/api/generate-registration-options", order)
                #expect(answer.status == .ok, "\(order): \(answer.text)")
            }
        }
    }

    @Test func `the home page lists users only where listUsers is set`() async throws {
        try await Harness.run { harness in
            let home = try await harness.send(.get, "/").text
            #expect(!home.contains(#"id="users""#))
        }
        try await Harness.run {
            $0.passkeys.listUsers = true
        } _: { harness in
            let home = try await harness.send(.get, "/").text
            #expect(home.contains(#"id="users""#))
        }
    }

    @Test func `with the face surface off the face page is 404 and no page links to it`() async throws {
        try await Harness.run {
            $0.surfaces["bbms"]?.enabled = false
        } _: { harness in
            try harness.expect(try await harness.send(.get, "/face"), is: "not_found", 404)
            for page in SitePage.rendered where page != .face {
                #expect(try await !harness.send(.get, page.path).text.contains(#"href="face""#), "\(page)")
            }
        }
    }

    @Test func `with the passkey surface off every site page is 404`() async throws {
        try await Harness.run {
            $0.surfaces["passkeys"]?.enabled = false
        } _: { harness in
            for page in SitePage.allCases {
                try harness.expect(try await harness.send(.get, page.path), is: "not_found", 404)
            }
        }
    }

    // T-038
    @Test func `what the config says is shown as text, and never as markup`() async throws {
        try await Harness.run {
            $0.passkeys.relyingParty.name = #"<b>"&'"#
        } _: { harness in
            for page in SitePage.rendered {
                let text = try await harness.send(.get, page.path).text
                #expect(!text.contains("<b>") && text.contains("&lt;b&gt;"), "\(page)")
            }
        }
    }
}
