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

    // T-118
    @Test(arguments: [
        ("own", ["by-passkey", "by-new-passkey", "enroll"]), ("keyed", ["by-passkey", "by-new-passkey"]),
        ("faced", ["enroll"]),
    ])
    func `attack: a password sets up nothing in an account that has a passkey; a mailed code after it does`(
        _ client: String,
        _ ways: [String]
    ) async throws {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register(Self.eve)
            let owner = try await Self.byPassword("any", fixture)
            try #require(try await owner.make().1.status == .ok, "the first one")

            let browser = try await Self.byPassword(client, fixture)
            let page = try await browser.load()
            #expect(page.ways == ["by-passkey", "mail"], "\(page.text)")
            try await Self.expectNoSetUp(in: browser)

            let code = try await browser.mailedCode(Self.eve)
            let next = try await browser.follow(try await browser.type(code, Self.eve))
            #expect(next.ways == ways, "\(next.text)")
            #expect(try await browser.call("/passkey/new/options", "{}").status == .ok)
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
            #expect(try await browser.load().ways == ["face", "mail"])
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
