import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Testing
import TokenForgeries

@testable import Assembly
@testable import HTTPAPI
@testable import SignIn

/// Grants that are answered again, for a client whose answer was lost.
struct ReopenedGrantTests {
    private static func session(_ tokens: TokensOfTest) throws -> SessionID {
        let text = try #require(TokenFixture.claims(tokens.accessToken)["sid"] as? String)
        return try #require(SessionID(parsing: text))
    }

    /// What is opened again, without a proof.
    private static func reopen(
        _ session: SessionID,
        _ fixture: TokenFixture,
        as client: OAuthClient
    ) async throws -> OpenedGrant? {
        try await fixture.harness.composition.door.reopen(session, client: client, key: nil)
    }

    @Test func `it is the same grant, with the same refresh token`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(resources: [TokenFixture.resource])
            fixture.harness.time.advance(by: .seconds(60))
            let found = try await Self.reopen(try Self.session(tokens), fixture, as: TokenFixture.client("app"))
            let opened = try #require(found)
            let account = try await fixture.harness.composition.accounts.show("ada@example.com").account.id
            #expect(opened.grant.account == account && opened.grant.clientID == "app")
            #expect(opened.grant.scopes == ScopeSet(TokenFixture.scopes))
            #expect(opened.grant.resources == [TokenFixture.resource] && opened.grant.nonce == "n-0S6_WzA2Mj")
            let claims = try TokenFixture.claims(tokens.refreshToken)
            #expect(claims["jti"] as? String == opened.refreshTokenID)
            #expect(claims["iat"] as? Int == Int(opened.issuedAt.seconds), "the times are those of the first answer")
        }
    }

    @Test func `attack: a grant is not reopened for another client or a disabled one`() async throws {
        try await TokenFixture.run { fixture in
            let session = try Self.session(try await fixture.tokens())
            let outsider = try await Self.reopen(session, fixture, as: TokenFixture.client("stranger"))
            #expect(outsider == nil)
            let disabled = try await Self.reopen(session, fixture, as: TokenFixture.client("app", isEnabled: false))
            #expect(disabled == nil)
            let own = try await Self.reopen(session, fixture, as: TokenFixture.client("app"))
            #expect(own != nil, "neither try has ended anything")
        }
    }

    @Test func `attack: a grant is not reopened once its refresh token was used or its session has ended`() async throws
    {
        try await TokenFixture.run { fixture in
            let (used, over) = (try await fixture.tokens(), try await fixture.tokens(by: "bob@example.com"))
            #expect(try await fixture.refresh(used.refreshToken).status == .ok)
            let first = try await Self.reopen(try Self.session(used), fixture, as: TokenFixture.client("app"))
            #expect(first == nil)
            let fields = fixture.shown("app") + [("token", try #require(over.refreshToken))]
            #expect(try await fixture.form("/oauth/revoke", fields).status == .ok)
            let second = try await Self.reopen(try Self.session(over), fixture, as: TokenFixture.client("app"))
            #expect(second == nil)
        }
    }

    @Test func `attack: a DPoP-bound grant is not reopened without a proof of its key`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(fixture.harness.proving(.post, "/oauth/token", DPoPMaker()))
            let session = try Self.session(tokens)
            let error = await #expect(throws: OAuthError.self) {
                try await Self.reopen(session, fixture, as: TokenFixture.client("app"))
            }
            #expect(error?.code == .invalidDPoPProof)
        }
    }
}
