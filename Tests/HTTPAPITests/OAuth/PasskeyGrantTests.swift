import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import SoftwareAuthenticator
import Testing

@testable import Admin
@testable import Assembly
@testable import HTTPAPI

/// What clients got by a sign-in with a passkey, once the passkey is gone.
struct PasskeyGrantTests {
    // T-117
    /// Whoever signed in by it would else stay in wherever a client holds tokens, also by what is not redeemed yet.
    @Test func `attack: a removed passkey revokes the tokens, codes and requests that it opened, and no others`()
        async throws
    {
        try await SignInFixture.run { fixture in
            try await Self.addClient(fixture)
            let (credential, person) = try await fixture.harness.addPasskey()
            let byPasskey = try await Self.redeem(try await Self.enter(credential, fixture), fixture)
            let tokens = try byPasskey.decode(TokensOfTest.self)
            let unused = try await Self.enter(credential, fixture)
            let waiting = try await fixture.browser()
            #expect(try await waiting.show(credential).status == .ok)
            let scanned = try await fixture.browser()
            try await scanned.scan(try await scanned.startFace())
            #expect(try await scanned.load("/wait").status == .seeOther)
            let code = try #require(try await scanned.comeBack()["code"])
            let byFace = try await Self.redeem(code, fixture).decode(TokensOfTest.self)
            for held in [tokens, byFace] { #expect(try await Self.isGood(held, fixture)) }

            let listed = try await fixture.harness.send(.get, "/api/auth/devices", person.bearer)
            let id = try #require(try listed.decode(OwnedPasskeysResponse.self).devices.first?.id)
            #expect(try await fixture.harness.composition.administration.execute(RemovePasskey(id: id)) == id)

            #expect(try await !Self.isGood(tokens, fixture))
            let late = try await Self.redeem(unused, fixture)
            #expect(late.status == .badRequest && late.text.contains("invalid_grant"), "\(late.text)")
            #expect(try await waiting.load().status == .gone)
            #expect(try await Self.isGood(byFace, fixture), "a face has nothing to do with it")
        }
    }

    /// The client of the fixture, where the token endpoint finds it.
    private static func addClient(_ fixture: SignInFixture) async throws {
        var metadata = ClientMetadata()
        metadata.redirectURIs = [SignInFixture.callback]
        metadata.method = .none
        _ = try await fixture.harness.composition.oauth.clients.add(metadata, id: "own")
    }

    /// The code that comes of a sign-in by that passkey.
    private static func enter(
        _ credential: SoftwareAuthenticator.Credential,
        _ fixture: SignInFixture
    ) async throws -> String {
        let browser = try await fixture.browser()
        let shown = try await browser.show(credential)
        try #require(shown.status == .ok, "\(shown.text)")
        return try #require(try await browser.comeBack()["code"])
    }

    private static func redeem(_ code: String, _ fixture: SignInFixture) async throws -> TestResponse {
        let fields = [
            ("grant_type", "authorization_code"), ("client_id", "own"), ("code", code),
            ("redirect_uri", SignInFixture.callback), ("code_verifier", Harness.verifier),
        ]
        return try await fixture.harness.send(
            .post,
            "/oauth/token",
            [.contentType: "application/x-www-form-urlencoded"],
            body: TokenFixture.encoded(fields)
        )
    }

    private static func isGood(_ tokens: TokensOfTest, _ fixture: SignInFixture) async throws -> Bool {
        try await fixture.harness.send(.get, "/oauth/userinfo", tokens.bearer).status == .ok
    }
}
