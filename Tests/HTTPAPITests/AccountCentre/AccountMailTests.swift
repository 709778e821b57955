import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Passkeys
import Settings
import SignIn
import Testing
import Web
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The name in mails about what a person does on this server's own pages: the owner's, and never that of an app.
struct AccountMailTests {
    private static func brand(_ settings: inout Settings) {
        settings.theme.name = "The Owner"
        for index in settings.clients.indices {
            var theme = BrandSettings()
            theme.name = "Brand of \(settings.clients[index].id)"
            settings.clients[index].theme = theme
        }
    }

    /// Expects that these mails were sent, and name the owner alone.
    @discardableResult
    private static func expect(
        _ subjects: [String],
        in harness: Harness,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [ReadMail] {
        let mails = try await harness.mails()
        #expect(mails.map(\.subject).sorted() == subjects.sorted(), sourceLocation: sourceLocation)
        for mail in mails { expectOwner(in: mail.text, sourceLocation: sourceLocation) }
        return mails
    }

    private static func expectOwner(in text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let isOwners = text.contains("The Owner") && !text.contains("BBMS") && !text.contains("Brand of")
        #expect(isOwners, "\(text)", sourceLocation: sourceLocation)
    }

    private static func passkey(of browser: AccountBrowser) async throws -> PasskeyID {
        try #require(try await browser.harness.api.services.passkeys.owned.list(of: browser.account).last).id
    }

    @Test func `mails about the password and the end of an account name the owner`() async throws {
        try await Harness.run {
            Self.brand(&$0)
        } _: { harness in
            let ada = try await harness.accountBrowser()
            _ = try await harness.mails()
            _ = try await ada.press("password", [("new", "a horse of another colour")])
            try await Self.expect(["The password of your The Owner account was changed"], in: harness)
            _ = try await ada.press("password-removal")
            try await Self.expect(["The password of your The Owner account was removed"], in: harness)
            _ = try await ada.press("close", [("name", "ada@example.com")])
            try await Self.expect(["Your The Owner account is closed"], in: harness)
        }
    }

    @Test func `mails about a new address name the owner, and so does the page of their link`() async throws {
        try await Harness.run {
            Self.brand(&$0)
        } _: { harness in
            let ada = try await harness.accountBrowser()
            _ = try await harness.mails()
            _ = try await ada.press("email", [("email", "lovelace@example.com")])
            let asked = try await Self.expect(["Confirm your e-mail address for The Owner"], in: harness)
            let mail = try #require(asked.first)
            Self.expectOwner(in: try await harness.send(.get, mail.path).text)
            _ = try await ada.press("email", [("do", "prove"), ("code", try mail.addressCode)])
            let subjects = [
                "The e-mail address of your The Owner account was changed",
                "Your e-mail address for The Owner is confirmed",
            ]
            try await Self.expect(subjects, in: harness)
        }
    }

    @Test func `mails about a face name the owner, and so does the page of its scan`() async throws {
        try await Harness.run {
            Self.brand(&$0)
        } _: { harness in
            let ada = try await harness.accountBrowser()
            _ = try await harness.mails()
            _ = try await ada.press("face", [("do", "remove")])
            try await Self.expect(["The face of your The Owner account was removed"], in: harness)
            let begun = try await ada.press("face", [("do", "enrol")])
            let ticket = try #require(begun.cookie("vst_enrol_")?.split(separator: "=").last, "\(begun.text)")
            Self.expectOwner(in: try await harness.send(.get, "/go/\(ticket)").text)
            let opened = try await harness.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
            try #require(opened.status == .seeOther, "\(opened.text)")
            try await harness.judge(.approved)
            try await Self.expect(["A face was enrolled for your The Owner account"], in: harness)
        }
    }

    @Test func `the mail about a removed passkey names the owner for the owner's pages, and the app for an app`()
        async throws
    {
        try await Harness.run {
            Self.brand(&$0)
        } _: { harness in
            let ada = try await harness.accountBrowser()
            let removed = "A passkey was removed from your The Owner account"
            _ = try await harness.addPasskey(by: .cookies(ada.cookie))
            _ = try await harness.mails()
            let done = try await ada.press("passkey-removal", [("id", "\(try await Self.passkey(of: ada))")])
            #expect(done.status == .seeOther, "\(done.text)")
            try await Self.expect([removed], in: harness)

            let page = HTTPFields.cookies(ada.cookie).adding(.fetchSite, "same-origin")
            _ = try await harness.addPasskey(by: page)
            try await Self.expect(["A passkey was added to your The Owner account"], in: harness)
            let path = "/api/auth/devices/\(try await Self.passkey(of: ada))"
            #expect(try await harness.send(.delete, path, page).status == .ok)
            try await Self.expect([removed], in: harness)

            let app = try await harness.signIn().bearer
            _ = try await harness.addPasskey(by: app)
            _ = try await harness.mails()
            let last = "/api/auth/devices/\(try await Self.passkey(of: ada))"
            #expect(try await harness.send(.delete, last, app).status == .ok)
            let subjects = try await harness.mails().map(\.subject)
            #expect(subjects == ["A passkey was removed from your BBMS account"])
        }
    }

    @Test(arguments: [("mwsim", "mwsim"), ("/device", "The Owner")])
    func `a mail about what is set up on a sign-in page names the client or the page that it is for`(
        _ client: String,
        _ name: String
    ) async throws {
        try await SignInFixture.run {
            Self.brand(&$0)
        } _: { fixture in
            let browser = try await fixture.browser(fixture.request(of: client))
            let form = "email=new%40example.com&name=Nora+New&password=correct+horse+battery"
            #expect(try await browser.press("/sign-up", form).status == .ok)
            let link = try #require(try await fixture.harness.mails().first)
            #expect(link.subject == "Confirm your e-mail address for \(name)")
            #expect(try await fixture.harness.send(.get, link.path).text.contains(name))
        }
        for way in ["passkey", "face"] {
            try await SignInFixture.run {
                Self.brand(&$0)
            } _: { fixture in
                try await fixture.harness.unenrol("ada@example.com")
                let browser = try await fixture.browser(fixture.request(of: client))
                let code = try await browser.mailedCode()
                try #require(try await browser.type(code).status == .ok)
                if way == "passkey" {
                    let made = try await browser.make().1
                    try #require(made.status == .ok, "\(made.text)")
                } else {
                    try #require(try await browser.press("/enroll").headers[.location] == "wait")
                    try await browser.scan(try await browser.load("/wait"))
                }
                let subject = way == "passkey" ? "A passkey was added to your" : "A face was enrolled for your"
                #expect(try await fixture.harness.mails().map(\.subject) == ["\(subject) \(name) account"])
            }
        }
    }
}
