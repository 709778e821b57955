import Accounts
import Audit
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Sessions
import Settings
import Testing
import TokenReading
import Tokens
import Wire

@testable import Assembly

/// Who counts as signed in.
struct SignedInTests {
    private static let path = "/auth/operations"

    @Test func `without a token both schemes are named, and no more (RFC 6750 §3.1, RFC 9449 §7.1)`() async throws {
        try await Harness.run { harness in
            for headers: HTTPFields in [[:], [.authorization: "Basic YTpi"], [.authorization: "Bearer"]] {
                let response = try await harness.send(.get, Self.path, headers)
                try harness.expect(response, is: "unauthorized", 401)
                #expect(response.headers[values: .wwwAuthenticate] == [#"Bearer, DPoP algs="ES256 EdDSA""#])
            }
        }
    }

    @Test func `attack: only a valid access token signs in: refresh, unsigned and changed tokens get 401`() async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let parts = ada.tokens.accessToken.split(separator: ".")
            let unsigned = "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0Iiwia2lkIjoieCJ9.\(parts[1])."
            for token in [ada.tokens.refreshToken, "x.y.z", unsigned, ada.tokens.accessToken + "A"] {
                let response = try await harness.send(.get, Self.path, [.authorization: "Bearer \(token)"])
                try harness.expect(response, is: "unauthorized", 401)
                #expect(response.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
            }
            #expect(try await harness.send(.get, Self.path, ada.bearer).status == .ok)
        }
    }

    @Test func `attack: an expired access token gets 401`() async throws {
        try await Harness.run { settings in
            settings.clients[0].accessTokenLifetime = .seconds(30)
        } _: { harness in
            let ada = try await harness.signIn()
            await harness.pass(.seconds(31))
            try harness.expect(try await harness.send(.get, Self.path, ada.bearer), is: "unauthorized", 401)
        }
    }

    // T-097
    @Test func `attack: an access token gets 401 once its session or its account is revoked`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let bob = try await harness.signIn("bob@example.com")
            let sessions = harness.composition.sessions
            let account = try await harness.composition.accounts.show("bob@example.com").account.id
            _ = try await harness.composition.unitOfWork.run {
                try sessions.revokeAll(of: account, because: .accountDisabled, in: $0)
            }
            try harness.expect(try await harness.send(.get, Self.path, bob.bearer), is: "unauthorized", 401)
            #expect(try await harness.send(.get, Self.path, ada.bearer).status == .ok)
            _ = try await harness.composition.accounts.disable("ada@example.com")
            try harness.expect(try await harness.send(.get, Self.path, ada.bearer), is: "unauthorized", 401)
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `attack: an access token of a client that the config no longer has gets 401`(
        _ storage: HarnessStorage
    ) async throws {
        let folder = try TestFolder()
        let kept = Kept()
        try await Harness.run(storage: storage, folder: folder) { harness in
            kept.put(try await harness.signIn().tokens.accessToken)
        }
        try await Harness.run(storage: storage, folder: folder) { settings in
            settings.clients[0].audience = "another"
        } _: { harness in
            let headers: HTTPFields = [.authorization: "Bearer \(try #require(kept.claims))"]
            try harness.expect(try await harness.send(.get, Self.path, headers), is: "unauthorized", 401)
        }
    }
}
