import Accounts
import Audit
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Sessions
import Settings
import Storage
import Testing
import TokenReading
import Tokens
import Wire

@testable import Vestibule

/// Who counts as signed in.
struct SignedInTests {
    private static let path = "/auth/operations"

    @Test func `without a token both schemes are named, and no more (RFC 6750 §3.1, RFC 9449 §7.1)`() async throws {
        try await Bench.run { bench in
            for headers: HTTPFields in [[:], [.authorization: "Basic YTpi"], [.authorization: "Bearer"]] {
                let response = try await bench.send(.get, Self.path, headers)
                try bench.expect(response, is: "unauthorized", 401)
                #expect(response.headers[values: .wwwAuthenticate] == [#"Bearer, DPoP algs="ES256 EdDSA""#])
            }
        }
    }

    @Test func `attack: no other token than a good access token signs anybody in`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let parts = ada.tokens.accessToken.split(separator: ".")
            let unsigned = "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0Iiwia2lkIjoieCJ9.\(parts[1])."
            for token in [ada.tokens.refreshToken, "x.y.z", unsigned, ada.tokens.accessToken + "A"] {
                let response = try await bench.send(.get, Self.path, [.authorization: "Bearer \(token)"])
                try bench.expect(response, is: "unauthorized", 401)
                #expect(response.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
            }
            #expect(try await bench.send(.get, Self.path, ada.bearer).status == .ok)
        }
    }

    @Test func `attack: an expired token signs nobody in`() async throws {
        try await Bench.run { settings in
            settings.clients[0].accessTokenLifetime = .seconds(30)
        } _: { bench in
            let ada = try await bench.signIn()
            await bench.pass(.seconds(31))
            try bench.expect(try await bench.send(.get, Self.path, ada.bearer), is: "unauthorized", 401)
        }
    }

    @Test func `attack: a token outlives neither its session nor its account`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let bob = try await bench.signIn("bob@example.com")
            let sessions = bench.composition.sessions
            let account = try await bench.composition.accounts.show("bob@example.com").account.id
            _ = try await bench.composition.unitOfWork.run {
                try sessions.revokeAll(of: account, because: .accountDisabled, in: $0)
            }
            try bench.expect(try await bench.send(.get, Self.path, bob.bearer), is: "unauthorized", 401)
            #expect(try await bench.send(.get, Self.path, ada.bearer).status == .ok)
            _ = try await bench.composition.accounts.disable("ada@example.com")
            try bench.expect(try await bench.send(.get, Self.path, ada.bearer), is: "unauthorized", 401)
        }
    }

    @Test func `attack: a token of a client that was taken out of the config signs nobody in`() async throws {
        let folder = try TestFolder()
        let kept = Kept()
        try await Bench.run(folder: folder) { bench in kept.put(try await bench.signIn().tokens.accessToken) }
        try await Bench.run(folder: folder) { settings in
            settings.clients[0].audience = "another"
        } _: { bench in
            let headers: HTTPFields = [.authorization: "Bearer \(try #require(kept.claims))"]
            try bench.expect(try await bench.send(.get, Self.path, headers), is: "unauthorized", 401)
        }
    }
}
