import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Testing

@testable import Assembly
@testable import HTTPAPI
@testable import OAuth

/// Clients from which the operator takes something away after people have signed in.
struct NarrowedClientTests {
    // T-171, O-057, O-063
    @Test func `a refresh gives no scope that the client may no longer have`() async throws {
        try await TokenFixture.run { fixture in
            fixture.directory.put(TokenFixture.client("late", .added), as: 1)
            let tokens = try await fixture.tokens(of: "late")
            fixture.directory.put(TokenFixture.client("late", .added, scopes: ["openid", "offline_access"]), as: 2)
            try fixture.expect(
                try await fixture.refresh(tokens.refreshToken, as: "late", ["scope": "orders"]),
                is: .invalidScope
            )
            let fresh = try await fixture.refresh(tokens.refreshToken, as: "late").decode(TokensOfTest.self)
            #expect(fresh.scope == "offline_access openid")
            #expect(try TokenFixture.claims(fresh.accessToken)["scope"] as? String == "offline_access openid")
        }
    }

    // T-171, O-058
    @Test func `without offline access there is no refresh any more, and the try uses nothing up`() async throws {
        try await TokenFixture.run { fixture in
            fixture.directory.put(TokenFixture.client("late", .added), as: 1)
            let tokens = try await fixture.tokens(of: "late")
            fixture.directory.put(TokenFixture.client("late", .added, scopes: ["openid"]), as: 2)
            try fixture.expect(try await fixture.refresh(tokens.refreshToken, as: "late"), is: .invalidGrant)
            fixture.directory.put(TokenFixture.client("late", .added), as: 3)
            fixture.harness.time.advance(by: .seconds(60))
            #expect(try await fixture.refresh(tokens.refreshToken, as: "late").status == .ok)
        }
    }
}
