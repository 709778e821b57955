import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Storage
import Testing
import TokenForgeries

@testable import HTTPAPI
@testable import SignIn
@testable import Vestibule

/// Grants that are answered again, for a client whose answer was lost.
struct ReopenedGrantTests {
    private static func session(_ tokens: TokensOfTest) throws -> SessionID {
        let text = try #require(TokenStage.claims(tokens.accessToken)["sid"] as? String)
        return try #require(SessionID(parsing: text))
    }

    /// What is opened again, without a proof.
    private static func reopen(
        _ session: SessionID,
        _ stage: TokenStage,
        as client: OAuthClient
    ) async throws -> OpenedGrant? {
        try await stage.bench.composition.door.reopen(session, client: client, key: nil)
    }

    @Test func `it is the same grant, with the same refresh token`() async throws {
        try await TokenStage.run { stage in
            let tokens = try await stage.tokens(resources: [TokenStage.resource])
            stage.bench.time.advance(by: .seconds(60))
            let found = try await Self.reopen(try Self.session(tokens), stage, as: TokenStage.client("app"))
            let opened = try #require(found)
            let account = try await stage.bench.composition.accounts.show("ada@example.com").account.id
            #expect(opened.grant.account == account && opened.grant.clientID == "app")
            #expect(opened.grant.scopes == ScopeSet(TokenStage.scopes))
            #expect(opened.grant.resources == [TokenStage.resource] && opened.grant.nonce == "n-0S6_WzA2Mj")
            let claims = try TokenStage.claims(tokens.refreshToken)
            #expect(claims["jti"] as? String == opened.refreshTokenID)
            #expect(claims["iat"] as? Int == Int(opened.issuedAt.seconds), "the times are those of the first answer")
        }
    }

    @Test func `attack: nothing is opened again for another client, or for one that is disabled`() async throws {
        try await TokenStage.run { stage in
            let session = try Self.session(try await stage.tokens())
            let stranger = try await Self.reopen(session, stage, as: TokenStage.client("stranger"))
            #expect(stranger == nil)
            let disabled = try await Self.reopen(session, stage, as: TokenStage.client("app", isEnabled: false))
            #expect(disabled == nil)
            let own = try await Self.reopen(session, stage, as: TokenStage.client("app"))
            #expect(own != nil, "neither try has ended anything")
        }
    }

    @Test func `attack: nothing is opened again once the refresh token was used, or the session is over`() async throws
    {
        try await TokenStage.run { stage in
            let (used, over) = (try await stage.tokens(), try await stage.tokens(by: "bob@example.com"))
            #expect(try await stage.refresh(used.refreshToken).status == .ok)
            let first = try await Self.reopen(try Self.session(used), stage, as: TokenStage.client("app"))
            #expect(first == nil)
            let fields = stage.shown("app") + [("token", try #require(over.refreshToken))]
            #expect(try await stage.form("/oauth/revoke", fields).status == .ok)
            let second = try await Self.reopen(try Self.session(over), stage, as: TokenStage.client("app"))
            #expect(second == nil)
        }
    }

    @Test func `attack: a grant that is bound to a key is not opened again without a proof of it`() async throws {
        try await TokenStage.run { stage in
            let tokens = try await stage.tokens(stage.bench.proving(.post, "/oauth/token", DPoPMaker()))
            let session = try Self.session(tokens)
            let error = await #expect(throws: OAuthError.self) {
                try await Self.reopen(session, stage, as: TokenStage.client("app"))
            }
            #expect(error?.code == .invalidDPoPProof)
        }
    }
}
