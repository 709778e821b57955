import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Refreshes that are proven by the device.
struct RefreshProofTests {
    private static let key = P256.Signing.PrivateKey()
    private static let credential = String(repeating: "c", count: 43)

    @Test func `a device credential makes a lost answer good for a day; the token alone has thirty seconds`()
        async throws
    {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            for (shown, status) in [(Self.credential, 200), ("x", 401)] {
                let token = try await Self.signIn(harness, [.deviceCredential: Self.credential])
                let first = try await harness.refresh(token, [.deviceCredential: Self.credential])
                harness.time.advance(by: .seconds(23 * 3600))
                let headers: HTTPFields = [.deviceCredential: shown]
                let again = try await harness.send(.post, "/auth/refresh", headers.bearing(token))
                #expect(again.status.code == status)
                guard status == 200 else { continue }
                #expect(try again.decode(RefreshResponse.self).refreshToken == first.refreshToken)
                #expect(try again.decode(RefreshResponse.self).expiresIn == 3600, "an access token that is of use")
            }
        }
    }

    // T-094
    @Test func `attack: a key's session refreshes only with the key's signature, and failed tries do not end it`()
        async throws
    {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let token = try await Self.signInByKey(harness)
            let other = P256.Signing.PrivateKey()
            let bodies = try [
                "", "{}", #"{"deviceId":"phone"}"#, Self.proof(of: token, count: 50_010, by: other),
                Self.proof(of: token + "A", count: 50_010), Self.proof(of: token, count: 50_010, device: "tablet"),
                Self.proof(of: token, count: 1),
            ]
            for body in bodies {
                let response = try await harness.post("/auth/refresh", body, .bearing(token))
                try harness.expect(response, is: "unauthorized", 401)
            }
            let good = try Self.proof(of: token, count: 50_011)
            let fresh = try await harness.post("/auth/refresh", good, .bearing(token)).decode(RefreshResponse.self)
            let replayed = try await harness.post("/auth/refresh", good, .bearing(token))
            try harness.expect(replayed, is: "unauthorized", 401)
            harness.time.advance(by: .seconds(23 * 3600))
            let again = try await harness.post("/auth/refresh", Self.proof(of: token, count: 50_012), .bearing(token))
            #expect(try again.decode(RefreshResponse.self).refreshToken == fresh.refreshToken)
        }
    }

    // T-094
    @Test func `attack: a key's session needs the key's signature although the device has a credential too`()
        async throws
    {
        try await Self.run { harness in
            let (credential, key) = (Self.credential, Self.key.publicKey)
            try await harness.register("phone", of: "ada@example.com", credential: credential, key: key)
            let bound = try await Self.signInByKey(harness)
            for headers: HTTPFields in [[:], [.deviceCredential: credential]] {
                let response = try await harness.send(.post, "/auth/refresh", headers.bearing(bound))
                try harness.expect(response, is: "unauthorized", 401)
            }
            let fresh = try await harness.post("/auth/refresh", Self.proof(of: bound, count: 50_011), .bearing(bound))
            #expect(fresh.status == .ok, "\(fresh.text)")
        }
    }

    @Test func `a session that a credential opened does without the key, though the device has one`() async throws {
        try await Self.run { harness in
            let (credential, key) = (Self.credential, Self.key.publicKey)
            try await harness.register("phone", of: "ada@example.com", credential: credential, key: key)
            let token = try await Self.signIn(harness, [.deviceCredential: credential])
            let refreshed = try await harness.refresh(token, [.deviceCredential: credential])
            #expect(refreshed.refreshToken != nil)
        }
    }

    // T-094
    @Test func `attack: forty refreshes without the key use up no budget of the key's holder`() async throws {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let token = try await Self.signInByKey(harness)
            var statuses: [Int] = []
            for _ in 0..<40 {
                statuses.append(try await harness.send(.post, "/auth/refresh", .bearing(token)).status.code)
            }
            #expect(statuses == Array(repeating: 401, count: 30) + Array(repeating: 429, count: 10))
            let owner = try await harness.post("/auth/refresh", Self.proof(of: token, count: 50_011), .bearing(token))
            #expect(owner.status == .ok)
        }
    }

    // T-094, T-098
    @Test func `attack: a key's refresh token without the key's signature ends no session`() async throws {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let token = try await Self.signInByKey(harness)
            for path in ["/auth/logout", "/auth/logout?revokeAll=true"] {
                #expect(try await harness.post(path, "", .bearing(token)).status == .ok, "said to everybody")
            }
            let wallet = try await harness.post("/api/mobile/auth/logout", "", .bearing(token))
            try harness.expect(wallet, is: "unauthorized", 401)
            let fresh = try await harness.post("/auth/refresh", Self.proof(of: token, count: 50_011), .bearing(token))
            let next = try #require(try fresh.decode(RefreshResponse.self).refreshToken)
            let owner = try await harness.post("/auth/logout", Self.proof(of: next, count: 50_012), .bearing(next))
            #expect(owner.status == .ok)
            let late = try await harness.post("/auth/refresh", Self.proof(of: next, count: 50_013), .bearing(next))
            try harness.expect(late, is: "unauthorized", 401)
            #expect(late.text.contains("refresh token"), "\(late.text)")
        }
    }

    @Test func `two refreshes with key proofs get the same successor in either order, and a repeat gets 401`()
        async throws
    {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let token = try await Self.signInByKey(harness)
            var given: [String?] = []
            for count in [50_022, 50_021] as [Int64] {
                let body = try Self.proof(of: token, count: count)
                let answer = try await harness.post("/auth/refresh", body, .bearing(token))
                given.append(try answer.decode(RefreshResponse.self).refreshToken)
                try harness.expect(
                    try await harness.post("/auth/refresh", body, .bearing(token)),
                    is: "unauthorized",
                    401
                )
            }
            #expect(given[0] != nil && given[0] == given[1])
            let ahead = harness.composition.environment.now().milliseconds + 300_001
            let wrong = try await harness.post("/auth/refresh", Self.proof(of: token, count: ahead), .bearing(token))
            try harness.expect(wrong, is: "invalid_request", 400)
            let right = try await harness.post("/auth/refresh", Self.proof(of: token, count: 50_023), .bearing(token))
            #expect(right.status == .ok)
        }
    }

    // T-092
    @Test func `attack: a token replaced without its credential is refused when it comes with the credential later`()
        async throws
    {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            let token = try await Self.signIn(harness, [.deviceCredential: Self.credential])
            let attackers = try await harness.refresh(token)
            harness.time.advance(by: .seconds(3600))
            let owner = try await harness.send(
                .post,
                "/auth/refresh",
                HTTPFields.bearing(token).adding(.deviceCredential, Self.credential)
            )
            try harness.expect(owner, is: "unauthorized", 401)
            let attacker = try await harness.send(.post, "/auth/refresh", .bearing(attackers.refreshToken ?? ""))
            try harness.expect(attacker, is: "unauthorized", 401)
        }
    }

    // T-124
    @Test func `attack: a session of a revoked device does not refresh, and one of an expired device does`()
        async throws
    {
        try await Self.run { harness in
            let soon = harness.composition.environment.now() + .seconds(60)
            let credential = "short"
            try await harness.register("old", of: "ada@example.com", credential: credential, expiresAt: soon)
            let expired = try await Self.signIn(harness, [.deviceCredential: credential])
            let device = try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            let revoked = try await Self.signIn(harness, [.deviceCredential: Self.credential])
            try await harness.revoke(device)
            harness.time.advance(by: .seconds(61))
            #expect(try await harness.refresh(expired).refreshToken != nil)
            try harness.expect(
                try await harness.send(.post, "/auth/refresh", .bearing(revoked)),
                is: "unauthorized",
                401
            )
        }
    }

    // T-124
    @Test func `attack: "not me" on a device's session ends all sessions of that device with the reason`() async throws
    {
        try await Harness.run { settings in
            settings.clients[0].refresh.rotation = .always
        } _: { harness in
            try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            let other = try await Self.signIn(harness, [.deviceCredential: Self.credential])
            harness.time.advance(by: .seconds(1))
            _ = try await Self.signIn(harness, [.deviceCredential: Self.credential])
            harness.time.advance(by: .seconds(1))
            let owner = try await harness.signIn()
            let attacker = try #require(try await harness.owned(owner).first { $0.knownDevice })
            #expect(try await harness.disown(attacker.id, owner).status == .ok)
            try harness.expect(try await harness.send(.post, "/auth/refresh", .bearing(other)), is: "unauthorized", 401)
            let seen = try await harness.sessions(owner)
            #expect(seen.map(\.reason) == [nil, "not_me", "device_revoked"])
        }
    }

    @Test(arguments: [
        #"{"deviceSignature":"AAAA"}"#, #"{"deviceCount":1}"#,
        #"{"deviceId":"phone","deviceSignature":"A*","deviceCount":1}"#,
        #"{"deviceId":"phone","deviceSignature":"AAAA","deviceCount":0}"#,
        #"{"deviceId":"","deviceSignature":"AAAA","deviceCount":1}"#,
    ])
    func `a proof that can't be read is refused`(_ body: String) async throws {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            let token = try await Self.signIn(harness, [.deviceCredential: Self.credential])
            let response = try await harness.post("/auth/refresh", body, .bearing(token))
            try harness.expect(response, is: "invalid_request", 400)
        }
    }

    private static func run(_ body: @Sendable (Harness) async throws -> Void) async throws {
        try await Harness.run { settings in
            settings.clients[0].initiators = .knownDevice
            settings.clients[0].refresh.rotation = .always
        } _: { harness in
            try await body(harness)
        }
    }

    /// Without cookies, so that the session is on the device that was proved.
    private static func signIn(_ harness: Harness, _ headers: HTTPFields) async throws -> String {
        let login = try await harness.start(isChallenged: true, with: headers)
        try await harness.approve(login)
        return try #require(try await harness.poll(login, Harness.proof).decode(PollLoginResponse.self).refreshToken)
    }

    private static func signInByKey(_ harness: Harness) async throws -> String {
        let signed = "vestibule-login-start-v1\nbbms\nphone\n\(Harness.challenge)\n50005"
        let signature = try key.signature(for: Data(signed.utf8)).derRepresentation.base64EncodedString()
        let body =
            #"{"email":"ada@example.com","codeChallenge":"\#(Harness.challenge)","deviceId":"phone","#
            + #""deviceSignature":"\#(signature)","deviceCount":50005}"#
        let begun = try await harness.post(Harness.initiatePath, body).decode(InitiateLoginResponse.self)
        let ticket = try #require(begun.authIdUrl.split(separator: "/").last)
        try await harness.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
        try await harness.judge(.approved)
        let poll = "/auth/biometric-login/poll/\(begun.operationId)"
        let answer = try await harness.send(.get, poll, Harness.proof).decode(PollLoginResponse.self)
        return try #require(answer.refreshToken)
    }

    private static func proof(
        of token: String,
        count: Int64,
        by signer: P256.Signing.PrivateKey = key,
        device: String = "phone"
    ) throws -> String {
        let digest = Base64URL.encode(Digest256(sha256: token).bytes)
        let signed = Data("vestibule-refresh-v1\nbbms\n\(device)\n\(digest)\n\(count)".utf8)
        let signature = try signer.signature(for: signed).derRepresentation.base64EncodedString()
        return #"{"deviceId":"\#(device)","deviceSignature":"\#(signature)","deviceCount":\#(count)}"#
    }
}
