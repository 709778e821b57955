import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import SoftwareAuthenticator
import Testing

@testable import Admin
@testable import HTTPAPI
@testable import Vestibule

/// What clients got by a sign-in with a passkey, once the passkey is gone.
struct PasskeyGrantTests {
    /// Whoever signed in by it would else stay in wherever a client holds tokens, also by what is not redeemed yet.
    @Test func `attack: a removed passkey takes along what clients got by it, redeemed or not, and nothing else`()
        async throws
    {
        try await SignInStage.run { stage in
            try await Self.addClient(stage)
            let (credential, person) = try await stage.bench.addPasskey()
            let byPasskey = try await Self.redeem(try await Self.enter(credential, stage), stage)
            let tokens = try byPasskey.decode(TokensOfTest.self)
            let unused = try await Self.enter(credential, stage)
            let waiting = try await stage.browser()
            #expect(try await waiting.show(credential).status == .ok)
            let scanned = try await stage.browser()
            try await scanned.scan(try await scanned.startFace())
            #expect(try await scanned.load("/wait").status == .seeOther)
            let code = try #require(try await scanned.comeBack()["code"])
            let byFace = try await Self.redeem(code, stage).decode(TokensOfTest.self)
            for held in [tokens, byFace] { #expect(try await Self.isGood(held, stage)) }

            let listed = try await stage.bench.send(.get, "/api/auth/devices", person.bearer)
            let id = try #require(try listed.decode(OwnedPasskeysResponse.self).devices.first?.id)
            #expect(try await stage.bench.composition.administration.execute(RemovePasskey(id: id)) == id)

            #expect(try await !Self.isGood(tokens, stage))
            let late = try await Self.redeem(unused, stage)
            #expect(late.status == .badRequest && late.text.contains("invalid_grant"), "\(late.text)")
            #expect(try await waiting.load().status == .gone)
            #expect(try await Self.isGood(byFace, stage), "a face has nothing to do with it")
        }
    }

    /// The client of the stage, where the token endpoint finds it.
    private static func addClient(_ stage: SignInStage) async throws {
        var metadata = ClientMetadata()
        metadata.redirectURIs = [SignInStage.callback]
        metadata.method = .none
        _ = try await stage.bench.composition.oauth.clients.add(metadata, id: "own")
    }

    /// The code that comes of a sign-in by that passkey.
    private static func enter(
        _ credential: SoftwareAuthenticator.Credential,
        _ stage: SignInStage
    ) async throws -> String {
        let browser = try await stage.browser()
        let shown = try await browser.show(credential)
        try #require(shown.status == .ok, "\(shown.text)")
        return try #require(try await browser.comeBack()["code"])
    }

    private static func redeem(_ code: String, _ stage: SignInStage) async throws -> TestResponse {
        let fields = [
            ("grant_type", "authorization_code"), ("client_id", "own"), ("code", code),
            ("redirect_uri", SignInStage.callback), ("code_verifier", Bench.verifier),
        ]
        return try await stage.bench.send(
            .post,
            "/oauth/token",
            [.contentType: "application/x-www-form-urlencoded"],
            body: TokenStage.encoded(fields)
        )
    }

    private static func isGood(_ tokens: TokensOfTest, _ stage: SignInStage) async throws -> Bool {
        try await stage.bench.send(.get, "/oauth/userinfo", tokens.bearer).status == .ok
    }
}
