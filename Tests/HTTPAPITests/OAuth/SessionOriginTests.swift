import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Sessions
import Settings
import SignIn
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The place and browser of sessions: of the person, whoever presents the proof.
struct SessionOriginTests {
    private static let firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
    private static let person = Requester(language: "en", address: "93.184.215.14", agent: "Firefox, Windows")
    /// What the server of an app says of itself.
    private static let server: HTTPFields = [.userAgent: "Mozilla/5.0 (X11; Linux) Chrome/140.0 Safari/537.36"]

    private static func session(_ tokens: TokensOfTest, _ harness: Harness) async throws -> Session {
        let text = try #require(TokenFixture.claims(tokens.accessToken)["sid"] as? String)
        let id = try #require(SessionID(parsing: text))
        return try #require(try await harness.composition.sessions.find(id))
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a session of a face has the place and browser of the login's start, and not of its collector`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(.live, storage: storage) {
            $0.listen.trustedProxies = ["127.0.0.0/8", "::1"]
        } _: { harness in
            let place = HTTPField.Name.named("X-Forwarded-For")
            let login = try await harness.start(with: [place: "93.184.215.14", .userAgent: Self.firefox])
            try await harness.approve(login)
            let collector = Self.server.adding(place, "203.0.113.7").adding(.cookie, login.cookie)
            #expect(try await harness.word(login, collector) == "completed")
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            let listed = try await harness.composition.sessions.list(of: account, limit: 9)
            let known = Session.Origin(address: "93.184.215.14", agent: "Firefox, Windows")
            #expect(listed.map(\.session.authentication.origin) == [known])
        }
    }

    @Test func `a face on the sign-in page gives its session the page's browser`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let started = try await browser.press("/face", "email=ada%40example.com", [.userAgent: Self.firefox])
            try #require(started.status == .seeOther, "\(started.text)")
            try await browser.scan(try await browser.load("/wait"))
            try await browser.load("/wait", Self.server)
            let id = try #require(try await browser.proven()?.authentication.session)
            let session = try #require(try await fixture.harness.composition.sessions.find(id))
            #expect(session.authentication.origin == Session.Origin(address: "", agent: "Firefox, Windows"))
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a session of OAuth has the place and browser in which its person authenticated`(
        _ storage: HarnessStorage
    ) async throws {
        try await TokenFixture.run(storage: storage) { fixture in
            let harness = fixture.harness
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            let browser = try await harness.accountBrowser(of: account, by: .mailedCode, from: Self.person)
            let code = try await fixture.code(of: "web", in: browser.session)
            let answer = try await fixture.redeem(code, as: "web", [:], Self.server)
            try #require(answer.status == .ok, "\(answer.text)")
            let tokens = try answer.decode(TokensOfTest.self)
            let session = try await Self.session(tokens, harness)
            #expect(session.id != browser.session)
            #expect(
                session.authentication.origin == Session.Origin(address: "93.184.215.14", agent: "Firefox, Windows")
            )
            let renewed = try await fixture.refresh(tokens.refreshToken, as: "web", [:], Self.server)
            let refreshed = try await Self.session(try renewed.decode(TokensOfTest.self), harness)
            #expect(refreshed.authentication.origin == session.authentication.origin)
        }
    }

    @Test func `an app's server that redeems a code is never shown as the person's place`() async throws {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code(of: "web")
            let answer = try await fixture.redeem(code, as: "web", [:], Self.server)
            let session = try await Self.session(try answer.decode(TokensOfTest.self), fixture.harness)
            #expect(session.authentication.origin == nil)
        }
    }

    @Test func `a login that a client's server requested leaves the place of its session unknown`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            try await fixture.approve(begun)
            let answer = try await fixture.poll(begun, as: "bank", Self.server)
            let session = try await Self.session(try answer.decode(TokensOfTest.self), fixture.harness)
            #expect(session.authentication.origin == nil)
        }
    }

    @Test func `an origin of which nothing is known is none`() {
        #expect(Session.Origin(ifKnown: "", agent: "") == nil)
        #expect(Session.Origin(ifKnown: "", agent: "Firefox")?.agent == "Firefox")
        #expect(Session.Origin(ifKnown: "203.0.113.7", agent: "")?.address == "203.0.113.7")
    }
}
