import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Testing

@testable import HTTPAPI
@testable import Vestibule

/// How long what a client was given lasts (RFC 9700 §4.14.2).
struct GrantLifetimeTests {
    private static let day: Duration = .seconds(86_400)

    @Test func `attack: a refresh token that nobody used for its lifetime gets nothing; each use begins it anew`()
        async throws
    {
        try await TokenStage.run { stage in
            let (idle, used) = (try await stage.tokens(), try await stage.tokens(by: "bob@example.com"))
            stage.bench.time.advance(by: Self.day * 29)
            let fresh = try await stage.refresh(used.refreshToken).decode(TokensOfTest.self)
            stage.bench.time.advance(by: Self.day + .seconds(1))
            try stage.expect(try await stage.refresh(idle.refreshToken), is: .invalidGrant)
            #expect(try await stage.refresh(fresh.refreshToken).status == .ok)
        }
    }

    @Test func `attack: a refresh token that is used again and again is over at the end of its session`() async throws {
        try await TokenStage.run { stage in
            var tokens = try await stage.tokens()
            var days = 0
            while days < 1000 {
                stage.bench.time.advance(by: Self.day * 20)
                days += 20
                let answer = try await stage.refresh(tokens.refreshToken)
                guard answer.status == .ok else {
                    try stage.expect(answer, is: .invalidGrant)
                    break
                }
                tokens = try answer.decode(TokensOfTest.self)
            }
            #expect(days > 30 && days < 1000, "\(days)")
        }
    }

    @Test func `attack: who signs out everywhere ends what clients were given`() async throws {
        try await TokenStage.run { stage in
            let (ada, bob) = (try await stage.tokens(), try await stage.tokens(by: "bob@example.com"))
            let person = try await stage.bench.signIn()
            #expect(try await stage.bench.send(.post, "/auth/logout?revokeAll=true", person.bearer).status == .ok)
            #expect(try await stage.send(.get, "/oauth/userinfo", ada.bearer).status == .unauthorized)
            try stage.expect(try await stage.refresh(ada.refreshToken), is: .invalidGrant)
            #expect(try await stage.refresh(bob.refreshToken).status == .ok)
        }
    }
}
