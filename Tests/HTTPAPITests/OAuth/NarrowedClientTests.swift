import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Testing

@testable import HTTPAPI
@testable import OAuth
@testable import Vestibule

/// Clients from which the operator takes something away after people have signed in.
struct NarrowedClientTests {
    @Test func `a refresh gives no scope that the client may no longer have`() async throws {
        try await TokenStage.run { stage in
            stage.directory.put(TokenStage.client("late", .added), as: 1)
            let tokens = try await stage.tokens(of: "late")
            stage.directory.put(TokenStage.client("late", .added, scopes: ["openid", "offline_access"]), as: 2)
            try stage.expect(
                try await stage.refresh(tokens.refreshToken, as: "late", ["scope": "orders"]),
                is: .invalidScope
            )
            let fresh = try await stage.refresh(tokens.refreshToken, as: "late").decode(TokensOfTest.self)
            #expect(fresh.scope == "offline_access openid")
            #expect(try TokenStage.claims(fresh.accessToken)["scope"] as? String == "offline_access openid")
        }
    }

    @Test func `without offline access there is no refresh any more, and the try uses nothing up`() async throws {
        try await TokenStage.run { stage in
            stage.directory.put(TokenStage.client("late", .added), as: 1)
            let tokens = try await stage.tokens(of: "late")
            stage.directory.put(TokenStage.client("late", .added, scopes: ["openid"]), as: 2)
            try stage.expect(try await stage.refresh(tokens.refreshToken, as: "late"), is: .invalidGrant)
            stage.directory.put(TokenStage.client("late", .added), as: 3)
            stage.bench.time.advance(by: .seconds(60))
            #expect(try await stage.refresh(tokens.refreshToken, as: "late").status == .ok)
        }
    }
}
