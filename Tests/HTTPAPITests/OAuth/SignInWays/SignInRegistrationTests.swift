import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Accounts that people open on the sign-in page.
struct SignInRegistrationTests {
    private static let form = "email=new%40example.com&name=Nora+New&password=correct+horse+battery"

    @Test func `an account is opened with a passkey under a user name or an address, and leads on`() async throws {
        for name in ["nora", "nora@example.com"] {
            try await SignInFixture.run { fixture in
                let browser = try await fixture.browser()
                #expect(
                    try await browser.load().text.contains(#"<a href="\#(browser.id)/sign-up">Create an account</a>"#)
                )
                let page = try await browser.load("/sign-up")
                #expect(page.status == .ok && page.text.contains(#"id="by-new-passkey""#))
                let (_, made) = try await browser.make(name)
                #expect(made.status == .ok, "\(made.text)")
                let account = try #require(try await browser.proven()).account
                #expect(try await fixture.harness.composition.accounts.active(account)?.emails.isEmpty == true)
                #expect(browser.session != nil && browser.jar["vst_way"] == "passkey")
                #expect(try await browser.comeBack()["code"]?.utf8.count == 43)
            }
        }
    }

    @Test func `an account is opened with an address and a password, by the form alone`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await browser.load("/sign-up").text.contains(#"<form id="by-password" method="post""#))
            let opened = try await browser.press("/sign-up", Self.form)
            #expect(opened.status == .ok, "\(opened.text)")
            #expect(try await browser.proven()?.authentication.methods == ["pwd"])
            #expect(try await browser.comeBack()["code"] != nil)
            #expect(try await fixture.harness.mails().map(\.to) == ["new@example.com"], "the link that verifies it")
        }
    }

    @Test func `an account is opened by a mailed code alone, and its address is verified`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: "any"))
            let asked = try await browser.askForCode("new@example.com")
            #expect(asked.text.contains("If no account has this address, the code opens one."))
            let code = try #require(try await fixture.harness.mails().last { $0.to == "new@example.com" }).code
            let opened = try await browser.type(code, "new@example.com")
            #expect(opened.status == .ok, "\(opened.text)")
            let account = try #require(try await browser.proven()).account
            let record = try #require(try await fixture.harness.composition.accounts.active(account))
            #expect(record.profile.email?.text == "new@example.com" && record.profile.isEmailVerified)
            #expect(record.account.displayName == "new" && record.passwordHash == nil)
            #expect(try await browser.comeBack()["code"] != nil)
            #expect(try await fixture.harness.mails().isEmpty, "a new account has nobody to tell of a new device")
            // The next code signs in to the same account.
            let again = try await fixture.browser(fixture.request(of: "any"))
            _ = try await again.type(try await again.mailedCode("new@example.com"), "new@example.com")
            #expect(try await again.proven()?.account == account)
        }
    }

    @Test func `attack: a code for an address that got an account meanwhile opens none, and signs nobody in`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: "any"))
            let code = try await browser.mailedCode("new@example.com")
            let other = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await other.press("/sign-up", Self.form).status == .ok)
            let late = try await browser.type(code, "new@example.com")
            #expect(late.status == .badRequest && browser.session == nil, "\(late.text)")
        }
    }

    @Test func `attack: a disabled account's address gets no mail, and its code opens nothing`() async throws {
        try await SignInFixture.run { fixture in
            _ = try await fixture.harness.composition.accounts.disable("ada@example.com")
            let browser = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await browser.askForCode("ada@example.com").status == .ok)
            #expect(try await !fixture.harness.mails().contains { $0.subject.hasPrefix("Your sign-in code") })
        }
    }

    @Test func `attack: no more mails go to a mailbox without an account than to one that is to be verified`()
        async throws
    {
        try await SignInFixture.run { fixture in
            for tag in 1...8 {
                let browser = try await fixture.browser(fixture.request(of: "any"))
                #expect(try await browser.askForCode("victim+\(tag)@example.com").status == .ok)
            }
            #expect(try await fixture.harness.mails().count == 5)
        }
    }

    @Test func `an account that was opened with a password goes on to what the client asks for`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: "keyed"))
            let second = try await browser.follow(try await browser.press("/sign-up", Self.form))
            #expect(second.ways == ["by-new-passkey"], "\(second.text)")
            let again = try await browser.press("/sign-up", Self.form).text
            #expect(again.contains(#"content="0;url=../\#(browser.id)""#), "once")
        }
    }

    @Test(arguments: [
        ("email=&name=Nora&password=correct+horse+battery", "Type your e-mail address"),
        ("email=a%40example.com&name=&password=correct+horse+battery", "Type a name of 1 to 200 characters"),
        ("email=a%40example.com&name=Nora&password=short", "A password needs at least 12 characters."),
    ])
    func `what is wrong with a new account is said, and what was typed is kept`(
        _ fields: String,
        _ sentence: String
    ) async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let page = try await browser.press("/sign-up", fields)
            #expect(page.status == .badRequest && page.text.contains(sentence), "\(page.text)")
            #expect(!page.text.contains("correct horse"), "no password is shown again")
            #expect(browser.session == nil)
        }
    }

    @Test func `attack: with requireVerifiedEmail a taken address opens an account like a free one`() async throws {
        try await SignInFixture.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { fixture in
            var seen: Set<String> = []
            for name in ["ada", "nobody"] {
                let browser = try await fixture.browser(fixture.request(of: "any"))
                let form = "email=\(name)%40example.com&name=Nora&password=correct+horse+battery"
                let page = try await browser.press("/sign-up", form)
                let text = page.text.replacing(browser.id, with: "ID")
                seen.insert("\(page.status.code) \(page.headerNames) \(text)")
                #expect(browser.session != nil)
            }
            #expect(seen.count == 1, "no oracle")
        }
    }

    @Test func `attack: a user name that is taken opens nothing`() async throws {
        try await SignInFixture.run { fixture in
            _ = try await fixture.harness.signUp("grace")
            let browser = try await fixture.browser()
            let options = try await browser.call("/passkey/new/options", #"{"username":"Grace"}"#)
            try fixture.harness.expect(options, is: "username_taken", 409)
        }
    }

    @Test func `attack: with registration closed there is no page, no form and no passkey that opens an account`()
        async throws
    {
        try await SignInFixture.run {
            for name in $0.surfaces.keys { $0.surfaces[name]?.registration = false }
        } _: { fixture in
            let browser = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await !browser.load().text.contains("sign-up"))
            #expect(try await browser.load("/sign-up").headers[.location] == "../\(browser.id)")
            let pressed = try await browser.press("/sign-up", Self.form).text
            #expect(pressed.contains(#"content="0;url=../\#(browser.id)""#))
            let options = try await browser.call("/passkey/new/options", #"{"username":"nora"}"#)
            try fixture.harness.expect(options, is: "operation_not_found", 404)
            #expect(try await fixture.harness.mails().isEmpty && browser.session == nil)
        }
    }
}
