import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Passkeys
import Settings
import SoftwareAuthenticator
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What a first way to sign in is enough to set up on the sign-in page.
struct SignInSetUpTests {
    private static let eve = "eve@example.com"

    /// Sends a browser for that client, in which somebody with Eve's password signs in.
    private static func byPassword(_ client: String, _ fixture: SignInFixture) async throws -> SentBrowser {
        let browser = try await fixture.browser(fixture.request(of: client))
        try #require(try await browser.sign(in: eve, able: true).status == .ok)
        return browser
    }

    /// Expects that the browser may create no passkey and enrol no face.
    private static func expectNoSetUp(in browser: SentBrowser) async throws {
        for below in ["/passkey/new/options", "/passkey/new"] {
            try browser.fixture.harness.expect(try await browser.call(below, "{}"), is: "step_up_required", 403)
        }
        #expect(try await browser.press("/enroll").headers[.location] != "wait")
    }

    // T-112, T-118
    @Test(arguments: [("own", [String]()), ("keyed", []), ("faced", ["enroll"])])
    func `attack: a password or a mailed code sets up nothing beside a passkey; that passkey does`(
        _ client: String,
        _ ways: [String]
    ) async throws {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register(Self.eve)
            let owner = try await Self.byPassword("any", fixture)
            let (credential, made) = try await owner.make()
            try #require(made.status == .ok, "the first one")

            let browser = try await Self.byPassword(client, fixture)
            #expect(try await browser.load().ways == ["by-passkey"])
            try await Self.expectNoSetUp(in: browser)

            let code = try await browser.mailedCode(Self.eve)
            let next = try await browser.follow(try await browser.type(code, Self.eve))
            #expect(next.ways == ["by-passkey"] && next.text.contains("If you have lost your passkey"), "\(next.text)")
            try await Self.expectNoSetUp(in: browser)

            #expect(try await browser.show(credential).status == .ok)
            guard !ways.isEmpty else {
                #expect(try await browser.comeBack()["code"] != nil)
                return
            }
            #expect(try await browser.load().ways == ways)
            #expect(try await browser.call("/passkey/new/options", "{}").status == .ok)
        }
    }

    // T-118
    @Test func `attack: a passkey that a password has just added sets up nothing beside an older one`() async throws {
        try await SignInFixture.run { fixture in
            let harness = fixture.harness
            try await harness.register(Self.eve)
            let owner = try await Self.byPassword("any", fixture)
            try #require(try await owner.make().1.status == .ok, "the owner's")
            await harness.pass(CoolingOff.period)
            let attacker = try await harness.passwordSignIn(Self.eve).decode(SignInResponse.self)
            let young = try await harness.addPasskey(by: .bearing(attacker.accessToken))

            let browser = try await fixture.browser(fixture.request(of: "faced"))
            try #require(try await browser.show(young).status == .ok)
            #expect(try await browser.load().ways == ["by-passkey"])
            try await Self.expectNoSetUp(in: browser)

            await harness.pass(CoolingOff.period)
            let later = try await fixture.browser(fixture.request(of: "faced"))
            try #require(try await later.show(young).status == .ok)
            #expect(try await later.load().ways == ["enroll"], "after a day it counts")
        }
    }

    // T-112
    @Test func `attack: a first passkey that a mailed code added waits a day where the client requires a passkey`()
        async throws
    {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register(Self.eve)
            await fixture.harness.pass(CoolingOff.period)
            let browser = try await fixture.browser(fixture.request(of: "keyed"))
            let code = try await browser.mailedCode(Self.eve)
            #expect(try await browser.type(code, Self.eve).status == .ok)
            #expect(try await browser.load().text.contains("Key App takes a new passkey one day after it is added."))
            let (credential, made) = try await browser.make()
            try #require(made.status == .ok, "otherwise nobody gets a first one: \(made.text)")
            #expect(try await browser.show(credential).status == .ok)
            let page = try await browser.load()
            #expect(page.ways == ["by-passkey"] && page.text.contains("This passkey is new, and "), "\(page.text)")
            let proven = try #require(try await browser.proven()).authentication
            #expect(ContextClassReference(proven) == nil && !proven.methods.contains("mfa"))

            let either = try await fixture.browser(fixture.request(of: "own"))
            #expect(try await either.show(credential).status == .ok)
            let choice = try await either.load()
            #expect(choice.status == .ok && choice.text.contains("This passkey is new, and "), "\(choice.text)")
            let other = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await other.show(credential).status == .ok)
            #expect(try await other.comeBack()["code"] != nil, "where any way is enough, it is one")
            let silent = try await fixture.browser(fixture.request(of: "keyed", prompts: [.none]), jar: other.jar)
            #expect(try await silent.comeBack()["error"] == "login_required", "that session gives no more")

            await fixture.harness.pass(CoolingOff.period)
            let later = try await fixture.browser(fixture.request(of: "keyed"))
            #expect(try await later.show(credential).status == .ok)
            #expect(try await later.comeBack()["code"] != nil)
        }
    }

    // T-112
    @Test func `a passkey that an older one added counts at once, also when the older one is removed`() async throws {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register(Self.eve)
            let (first, made) = try await Self.byPassword("any", fixture).make()
            try #require(made.status == .ok)
            await fixture.harness.pass(CoolingOff.period)
            let browser = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await browser.show(first).status == .ok)
            let (second, added) = try await browser.make()
            try #require(added.status == .ok, "\(added.text)")
            let other = try await fixture.browser(fixture.request(of: "keyed"))
            #expect(try await other.show(second).status == .ok)
            #expect(try await other.comeBack()["code"] != nil)

            let owned = fixture.harness.composition.passkeys.owned
            let account = try await fixture.harness.composition.accounts.show(Self.eve).account.id
            let listed = try await owned.list(of: account)
            let older = try #require(listed.first { $0.credential.record.id.text == first.idText })
            #expect(try await owned.remove(older.id) != nil && listed.count == 2)
            let later = try await fixture.browser(fixture.request(of: "keyed"))
            #expect(try await later.show(second).status == .ok)
            #expect(try await later.comeBack()["code"] != nil, "a lost passkey that is replaced costs no day")
        }
    }

    // T-112
    @Test func `in an account's first day each of its passkeys and faces adds another, and its password does not`()
        async throws
    {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register(Self.eve)
            let owner = try await Self.byPassword("faced", fixture)
            try #require(try await owner.press("/enroll").headers[.location] == "wait")
            try await owner.scan(try await owner.load("/wait"))
            try #require(try await owner.load("/wait").status == .seeOther)
            let browser = try await Self.byPassword("keyed", fixture)
            try await browser.scan(try await browser.startFace(Self.eve))
            try #require(try await browser.load("/wait").status == .seeOther)
            let (credential, made) = try await browser.make()
            try #require(made.status == .ok, "by the face: \(made.text)")

            try await Self.expectNoSetUp(in: try await Self.byPassword("keyed", fixture))
            let next = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await next.show(credential).status == .ok)
            let (_, added) = try await next.make()
            #expect(added.status == .ok, "the third: \(added.text)")
        }
    }

    // T-118
    @Test func `attack: a password sets up no passkey in an account that has a face, and is offered none`()
        async throws
    {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register(Self.eve)
            let owner = try await Self.byPassword("faced", fixture)
            try #require(try await owner.press("/enroll").headers[.location] == "wait", "the first one")
            try await owner.scan(try await owner.load("/wait"))
            try #require(try await owner.load("/wait").status == .seeOther)

            let browser = try await Self.byPassword("keyed", fixture)
            #expect(try await browser.load().ways == ["face"])
            try await Self.expectNoSetUp(in: browser)
            try await browser.scan(try await browser.startFace(Self.eve))
            #expect(try await browser.load("/wait").status == .seeOther)
            #expect(try await browser.load().ways == ["by-new-passkey"], "a face is enough")

            let other = try await Self.byPassword("any", fixture)
            #expect(try SignInFixture.answer(in: try await other.load("?offer=1"))["code"] != nil, "no offer")
        }
    }

    @Test func `attack: a proof of more than ten minutes ago sets up nothing, however long a sign-in may last`()
        async throws
    {
        try await SignInFixture.run {
            $0.oauth.authorization.interactionLifetime = .seconds(3600)
        } _: { fixture in
            try await fixture.harness.register(Self.eve)
            let browser = try await Self.byPassword("own", fixture)
            #expect(try await browser.load().ways == ["by-new-passkey", "enroll"])
            await fixture.harness.pass(.seconds(601))
            #expect(try await browser.load().ways == ["by-password", "mail"])
            try await Self.expectNoSetUp(in: browser)
            #expect(try await browser.sign(in: Self.eve).status == .ok)
            #expect(try await browser.load().ways == ["by-new-passkey", "enroll"])
            #expect(try await browser.make().1.status == .ok)
        }
    }
}
