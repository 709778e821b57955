import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Mailed codes for addresses without an account: how many there are, and where they open none.
struct NewcomerCodeTests {
    private static let address = "new@example.com"

    private static func account(_ text: String, _ fixture: SignInFixture) async throws -> AccountID? {
        let email = try #require(EmailAddress(text))
        return try await fixture.harness.composition.stores.people.accounts.find(email: email)?.account.id
    }

    @Test(.ofOneDaemon(.countedByEach))
    func `attack: of many codes for unknown addresses a network gets no more mails than its limit, and like answers`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let most = fixture.harness.settings.limits.rates.accounts.proofMailsPerAddress.burst
            let browser = try await fixture.browser(fixture.request(of: "any"))
            var answers: Set<String> = []
            for number in 1...(most + 30) {
                let email = "n\(1000 + number)@example.com"
                let page = try await browser.askForCode(email)
                answers.insert("\(page.status.code) \(page.headerNames) \(page.text.replacing(email, with: "-"))")
            }
            #expect(answers.count == 1, "no answer tells which address got a mail")
            #expect(try await fixture.harness.mails().count == most)
            _ = try await browser.askForCode()
            #expect(try await fixture.harness.mails().map(\.to) == ["ada@example.com"], "an account gets its code")
        }
    }

    @Test func `attack: a browser that is signed in gets no code for a new account, and types none`() async throws {
        try await SignInFixture.run { fixture in
            let session = try await fixture.harness.accountBrowser().cookie
            let request = fixture.request(of: "any", prompts: [.login])
            let signedIn = try await fixture.browser(request, jar: Self.jar(session))
            let asked = try await signedIn.askForCode(Self.address)
            #expect(!asked.text.contains("the code opens one"), "\(asked.text)")
            #expect(try await fixture.harness.mails().isEmpty)
            let other = try await fixture.browser(request)
            let code = try await other.mailedCode(Self.address)
            for (name, value) in Self.jar(session) { other.inject(name, value) }
            #expect(try await other.type(code, Self.address).status == .badRequest)
            #expect(try await Self.account(Self.address, fixture) == nil)
        }
    }

    @Test func `attack: where the client named an account, no code opens another`() async throws {
        try await SignInFixture.run { fixture in
            let ada = try #require(try await Self.account("ada@example.com", fixture))
            let browser = try await fixture.browser(fixture.request(of: "any", hintedAccount: ada))
            let asked = try await browser.askForCode(Self.address)
            #expect(asked.status == .ok && !asked.text.contains("the code opens one"), "\(asked.text)")
            #expect(try await fixture.harness.mails().isEmpty)
            #expect(try await browser.type("123456", Self.address).status == .badRequest)
            #expect(try await Self.account(Self.address, fixture) == nil)
        }
    }

    private static func jar(_ cookie: String) -> [String: String] {
        let pair = cookie.split(separator: "=", maxSplits: 1).map(String.init)
        return pair.count == 2 ? [pair[0]: pair[1]] : [:]
    }
}
