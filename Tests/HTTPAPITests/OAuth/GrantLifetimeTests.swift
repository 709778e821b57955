import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Testing

@testable import Assembly
@testable import HTTPAPI

/// How long what a client was given lasts (RFC 9700 §4.14.2).
struct GrantLifetimeTests {
    private static let day: Duration = .seconds(86_400)

    // O-060
    @Test func `attack: a refresh token unused for its lifetime is refused, and each use renews the lifetime`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let (idle, used) = (try await fixture.tokens(), try await fixture.tokens(by: "bob@example.com"))
            fixture.harness.time.advance(by: Self.day * 29)
            let fresh = try await fixture.refresh(used.refreshToken).decode(TokensOfTest.self)
            fixture.harness.time.advance(by: Self.day + .seconds(1))
            try fixture.expect(try await fixture.refresh(idle.refreshToken), is: .invalidGrant)
            #expect(try await fixture.refresh(fresh.refreshToken).status == .ok)
        }
    }

    // O-060
    @Test func `attack: a refresh token in use gets invalid_grant at the end of its session`() async throws {
        try await TokenFixture.run { fixture in
            var tokens = try await fixture.tokens()
            var days = 0
            while days < 1000 {
                fixture.harness.time.advance(by: Self.day * 20)
                days += 20
                let answer = try await fixture.refresh(tokens.refreshToken)
                guard answer.status == .ok else {
                    try fixture.expect(answer, is: .invalidGrant)
                    break
                }
                tokens = try answer.decode(TokensOfTest.self)
            }
            #expect(days > 30 && days < 1000, "\(days)")
        }
    }

    // O-061
    @Test func `attack: signing out everywhere revokes the tokens of OAuth clients`() async throws {
        try await TokenFixture.run { fixture in
            let (ada, bob) = (try await fixture.tokens(), try await fixture.tokens(by: "bob@example.com"))
            let person = try await fixture.harness.signIn()
            #expect(try await fixture.harness.send(.post, "/auth/logout?revokeAll=true", person.bearer).status == .ok)
            #expect(try await fixture.send(.get, "/oauth/userinfo", ada.bearer).status == .unauthorized)
            try fixture.expect(try await fixture.refresh(ada.refreshToken), is: .invalidGrant)
            #expect(try await fixture.refresh(bob.refreshToken).status == .ok)
        }
    }
}
