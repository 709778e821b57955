import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Sessions
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Mailed codes for an address with which an account was opened, and which that account has not verified.
struct UnverifiedAccountTests {
    private static let address = "new@example.com"
    private static let form = "email=new%40example.com&name=Nora+New&password=correct+horse+battery"

    private static func run(_ body: @Sendable (SignInFixture, SentBrowser, AccountID) async throws -> Void) async throws
    {
        try await SignInFixture.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { fixture in
            let opener = try await fixture.browser(fixture.request(of: "any"))
            try #require(try await opener.press("/sign-up", form).status == .ok)
            let account = try #require(try await opener.proven()).account
            _ = try await fixture.harness.mails()
            try await body(fixture, opener, account)
        }
    }

    // T-115
    @Test func `attack: a code from elsewhere leads neither into an account opened with the address nor beside it`()
        async throws
    {
        try await Self.run { fixture, _, account in
            let accounts = fixture.harness.composition.stores.people.accounts
            let owner = try await fixture.browser(fixture.request(of: "any"))
            let code = try await owner.mailedCode(Self.address)
            let typed = try await owner.type(code, Self.address)
            #expect(typed.status == .badRequest && typed.text.contains("is not confirmed yet"), "\(typed.text)")
            #expect(owner.session == nil)
            #expect(try await owner.proven() == nil)
            let email = try #require(EmailAddress(Self.address))
            #expect(try await accounts.find(email: email) == nil, "no second account")
            #expect(try await owner.type(code, Self.address).status == .badRequest, "the code is used up")
            let kept = try #require(try await accounts.find(account))
            #expect(kept.passwordHash != nil && kept.emails.isEmpty && kept.claim?.text == Self.address)
            // The mailbox has the link, whose page says what it removes. After it the attacker has nothing.
            let mail = try #require(try await fixture.harness.mails().last { $0.to == Self.address })
            #expect(try await fixture.harness.send(.post, mail.path).status == .ok)
            let taken = try #require(try await accounts.find(account))
            #expect(taken.passwordHash == nil && taken.profile.isEmailVerified)
            let sessions = try await fixture.harness.composition.sessions.list(of: account, limit: 9)
            #expect(!sessions.isEmpty && sessions.allSatisfy { $0.session.revocation != nil })
            _ = try await owner.type(try await owner.mailedCode(Self.address), Self.address)
            #expect(try await owner.proven()?.account == account)
        }
    }

    @Test func `a code in the browser that opened the account verifies its address, and removes nothing`() async throws
    {
        try await Self.run { fixture, opener, account in
            let device = try #require(opener.jar["vst_device"])
            let again = try await fixture.browser(fixture.request(of: "any"), jar: ["vst_device": device])
            let typed = try await again.type(try await again.mailedCode(Self.address), Self.address)
            #expect(typed.status == .ok, "\(typed.text)")
            #expect(try await again.proven()?.account == account)
            let record = try #require(try await fixture.harness.composition.stores.people.accounts.find(account))
            #expect(record.profile.isEmailVerified && record.passwordHash != nil)
            let sessions = try await fixture.harness.composition.sessions.list(of: account, limit: 9)
            #expect(sessions.count == 2 && sessions.allSatisfy { $0.session.revocation == nil })
        }
    }

    @Test func `an account that would change to an address keeps nobody from opening one with it`() async throws {
        try await SignInFixture.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { fixture in
            let harness = fixture.harness
            let ada = try await harness.composition.accounts.show("ada@example.com").account.id
            let email = try #require(EmailAddress(Self.address))
            let now = harness.composition.environment.now()
            try await harness.composition.unitOfWork.run { [store = harness.composition.stores.people.addresses] in
                try store.claim(email, for: ada, at: now, in: $0)
            }
            let browser = try await fixture.browser(fixture.request(of: "any"))
            _ = try await browser.type(try await browser.mailedCode(Self.address), Self.address)
            let opened = try #require(try await browser.proven()).account
            #expect(opened != ada)
        }
    }
}
