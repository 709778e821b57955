import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import SignIn
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The name that pages give to password managers beside a password's field.
struct PasswordFieldTests {
    private static let eve = "eve@example.com"

    /// The values of the fields with a user name, in forms with a password.
    private static func names(in page: String) -> [String] {
        page.matches(of: #/<form(.*?)<\/form>/#.dotMatchesNewlines()).map { String($0.1) }
            .filter { $0.contains(#"type="password""#) }
            .flatMap { $0.matches(of: #/<input([^>]*)>/#).map { String($0.1) } }
            .filter { $0.contains(#"autocomplete="username""#) }
            .map { $0.firstMatch(of: #/value="([^"]*)"/#).map { String($0.1) } ?? "" }
    }

    @Test func `the account's page for a new password names its account, also after a wrong one`() async throws {
        try await PasswordSignInTests.withEve { harness in
            let eve = try await harness.accountBrowser(Self.eve, by: .password)
            let page = try await eve.load("/password").text
            #expect(Self.names(in: page) == [Self.eve], "\(page)")
            let field = #"<input type="text" value="eve@example.com" autocomplete="username" readonly hidden>"#
            #expect(page.contains(field), "no one sees it, and it is not sent")
            let wrong = try await eve.press("password", [("current", "wrong"), ("new", "a horse of another colour")])
            #expect(wrong.status == .badRequest && Self.names(in: wrong.text) == [Self.eve], "\(wrong.text)")
            let address = try await eve.load("/email").text
            #expect(!address.contains(#"autocomplete="username""#), "it takes no password")
        }
        try await Harness.run { harness in
            let recovered = try await harness.accountBrowser(by: .mailedCode)
            let first = try await recovered.load("/password").text
            #expect(Self.names(in: first) == ["ada@example.com"], "after a mailed code: \(first)")
            let grace = try await harness.passkeyBrowser().load("/password").text
            #expect(Self.names(in: grace) == ["grace"], "an account without an address: \(grace)")
        }
    }

    @Test func `the sign-in page gives the typed address to password managers, whether or not it has an account`()
        async throws
    {
        try await SignInFixture.run { fixture in
            for email in ["ada@example.com", "nobody@example.com"] {
                let browser = try await fixture.browser(fixture.request(of: "any"))
                #expect(Self.names(in: try await browser.identify(email).text) == [email])
            }
            let browser = try await fixture.browser(fixture.request(of: "any"))
            let taken = "email=ada%40example.com&name=Ada&password=short"
            #expect(Self.names(in: try await browser.press("/sign-up", taken).text) == ["ada@example.com"])
        }
    }

    @Test func `attack: the page of a mailed link asks for the password, and names no account`() async throws {
        try await Harness.run { harness in
            try await harness.register(Self.eve)
            let mail = try #require(try await harness.mails().last)
            let page = try await harness.send(.get, mail.path).text
            #expect(page.contains(#"type="password""#) && !page.contains(Self.eve), "\(page)")
            #expect(Self.names(in: page).isEmpty)
        }
    }
}
