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

@testable import HTTPAPI
@testable import Vestibule

/// Refreshes that are proven by the device.
struct RefreshProofTests {
    private static let key = P256.Signing.PrivateKey()
    private static let credential = String(repeating: "c", count: 43)

    @Test func `a device credential makes a lost answer good for a day; the token alone has thirty seconds`()
        async throws
    {
        try await Self.run { bench in
            try await bench.register("phone", of: "ada@example.com", credential: Self.credential)
            for (shown, status) in [(Self.credential, 200), ("x", 401)] {
                let token = try await Self.signIn(bench, [.deviceCredential: Self.credential])
                let first = try await bench.refresh(token, [.deviceCredential: Self.credential])
                bench.time.advance(by: .seconds(23 * 3600))
                let headers: HTTPFields = [.deviceCredential: shown]
                let again = try await bench.send(.post, "/auth/refresh", headers.bearing(token))
                #expect(again.status.code == status)
                guard status == 200 else { continue }
                #expect(try again.decode(RefreshResponse.self).refreshToken == first.refreshToken)
                #expect(try again.decode(RefreshResponse.self).expiresIn == 3600, "an access token that is of use")
            }
        }
    }

    @Test func `attack: a session that a key opened never refreshes without the key, and is not harmed by trying`()
        async throws
    {
        try await Self.run { bench in
            try await bench.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let token = try await Self.signInByKey(bench)
            let other = P256.Signing.PrivateKey()
            let bodies = try [
                "", "{}", #"{"deviceId":"phone"}"#, Self.proof(of: token, count: 50_010, by: other),
                Self.proof(of: token + "A", count: 50_010), Self.proof(of: token, count: 50_010, device: "tablet"),
                Self.proof(of: token, count: 1),
            ]
            for body in bodies {
                let response = try await bench.post("/auth/refresh", body, .bearing(token))
                try bench.expect(response, is: "unauthorized", 401)
            }
            let good = try Self.proof(of: token, count: 50_011)
            let fresh = try await bench.post("/auth/refresh", good, .bearing(token)).decode(RefreshResponse.self)
            let replayed = try await bench.post("/auth/refresh", good, .bearing(token))
            try bench.expect(replayed, is: "unauthorized", 401)
            bench.time.advance(by: .seconds(23 * 3600))
            let again = try await bench.post("/auth/refresh", Self.proof(of: token, count: 50_012), .bearing(token))
            #expect(try again.decode(RefreshResponse.self).refreshToken == fresh.refreshToken)
        }
    }

    @Test func `attack: a session that a key opened needs the key, though the device has a credential as well`()
        async throws
    {
        try await Self.run { bench in
            let (credential, key) = (Self.credential, Self.key.publicKey)
            try await bench.register("phone", of: "ada@example.com", credential: credential, key: key)
            let bound = try await Self.signInByKey(bench)
            for headers: HTTPFields in [[:], [.deviceCredential: credential]] {
                let response = try await bench.send(.post, "/auth/refresh", headers.bearing(bound))
                try bench.expect(response, is: "unauthorized", 401)
            }
            let fresh = try await bench.post("/auth/refresh", Self.proof(of: bound, count: 50_011), .bearing(bound))
            #expect(fresh.status == .ok, "\(fresh.text)")
        }
    }

    @Test func `a session that a credential opened does without the key, though the device has one`() async throws {
        try await Self.run { bench in
            let (credential, key) = (Self.credential, Self.key.publicKey)
            try await bench.register("phone", of: "ada@example.com", credential: credential, key: key)
            let token = try await Self.signIn(bench, [.deviceCredential: credential])
            let refreshed = try await bench.refresh(token, [.deviceCredential: credential])
            #expect(refreshed.refreshToken != nil)
        }
    }

    @Test func `attack: tries with a stolen token, without the key, take nothing from the owner`() async throws {
        try await Self.run { bench in
            try await bench.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let token = try await Self.signInByKey(bench)
            var statuses: [Int] = []
            for _ in 0..<40 {
                statuses.append(try await bench.send(.post, "/auth/refresh", .bearing(token)).status.code)
            }
            #expect(statuses == Array(repeating: 401, count: 30) + Array(repeating: 429, count: 10))
            let owner = try await bench.post("/auth/refresh", Self.proof(of: token, count: 50_011), .bearing(token))
            #expect(owner.status == .ok)
        }
    }

    @Test func `attack: a stolen token of a session that a key opened ends nothing without the key`() async throws {
        try await Self.run { bench in
            try await bench.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let token = try await Self.signInByKey(bench)
            for path in ["/auth/logout", "/auth/logout?revokeAll=true"] {
                #expect(try await bench.post(path, "", .bearing(token)).status == .ok, "said to everybody")
            }
            let wallet = try await bench.post("/api/mobile/auth/logout", "", .bearing(token))
            try bench.expect(wallet, is: "unauthorized", 401)
            let fresh = try await bench.post("/auth/refresh", Self.proof(of: token, count: 50_011), .bearing(token))
            let next = try #require(try fresh.decode(RefreshResponse.self).refreshToken)
            let owner = try await bench.post("/auth/logout", Self.proof(of: next, count: 50_012), .bearing(next))
            #expect(owner.status == .ok)
            let late = try await bench.post("/auth/refresh", Self.proof(of: next, count: 50_013), .bearing(next))
            try bench.expect(late, is: "unauthorized", 401)
            #expect(late.text.contains("refresh token"), "\(late.text)")
        }
    }

    @Test func `two refreshes at a time are both answered, in whatever order their proofs come`() async throws {
        try await Self.run { bench in
            try await bench.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let token = try await Self.signInByKey(bench)
            var given: [String?] = []
            for count in [50_022, 50_021] as [Int64] {
                let body = try Self.proof(of: token, count: count)
                let answer = try await bench.post("/auth/refresh", body, .bearing(token))
                given.append(try answer.decode(RefreshResponse.self).refreshToken)
                try bench.expect(try await bench.post("/auth/refresh", body, .bearing(token)), is: "unauthorized", 401)
            }
            #expect(given[0] != nil && given[0] == given[1])
            let ahead = bench.composition.environment.now().milliseconds + 300_001
            let wrong = try await bench.post("/auth/refresh", Self.proof(of: token, count: ahead), .bearing(token))
            try bench.expect(wrong, is: "invalid_request", 400)
            let right = try await bench.post("/auth/refresh", Self.proof(of: token, count: 50_023), .bearing(token))
            #expect(right.status == .ok)
        }
    }

    @Test func `attack: a thief's token never goes with the owner's credential once it was replaced without`()
        async throws
    {
        try await Self.run { bench in
            try await bench.register("phone", of: "ada@example.com", credential: Self.credential)
            let token = try await Self.signIn(bench, [.deviceCredential: Self.credential])
            let thiefs = try await bench.refresh(token)
            bench.time.advance(by: .seconds(3600))
            let owner = try await bench.send(
                .post,
                "/auth/refresh",
                HTTPFields.bearing(token).adding(.deviceCredential, Self.credential)
            )
            try bench.expect(owner, is: "unauthorized", 401)
            let thief = try await bench.send(.post, "/auth/refresh", .bearing(thiefs.refreshToken ?? ""))
            try bench.expect(thief, is: "unauthorized", 401)
        }
    }

    @Test func `attack: a device that was revoked refreshes no session; one that has expired does`() async throws {
        try await Self.run { bench in
            let soon = bench.composition.environment.now() + .seconds(60)
            let credential = "short"
            try await bench.register("old", of: "ada@example.com", credential: credential, expiresAt: soon)
            let expired = try await Self.signIn(bench, [.deviceCredential: credential])
            let device = try await bench.register("phone", of: "ada@example.com", credential: Self.credential)
            let revoked = try await Self.signIn(bench, [.deviceCredential: Self.credential])
            try await bench.revoke(device)
            bench.time.advance(by: .seconds(61))
            #expect(try await bench.refresh(expired).refreshToken != nil)
            try bench.expect(try await bench.send(.post, "/auth/refresh", .bearing(revoked)), is: "unauthorized", 401)
        }
    }

    @Test func `attack: of a device that the owner disowns every session ends, with the reason`() async throws {
        try await Bench.run { settings in
            settings.clients[0].refresh.rotation = .always
        } _: { bench in
            try await bench.register("phone", of: "ada@example.com", credential: Self.credential)
            let other = try await Self.signIn(bench, [.deviceCredential: Self.credential])
            bench.time.advance(by: .seconds(1))
            _ = try await Self.signIn(bench, [.deviceCredential: Self.credential])
            bench.time.advance(by: .seconds(1))
            let owner = try await bench.signIn()
            let thief = try #require(try await bench.owned(owner).first { $0.knownDevice })
            #expect(try await bench.disown(thief.id, owner).status == .ok)
            try bench.expect(try await bench.send(.post, "/auth/refresh", .bearing(other)), is: "unauthorized", 401)
            let seen = try await bench.sessions(owner)
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
        try await Self.run { bench in
            try await bench.register("phone", of: "ada@example.com", credential: Self.credential)
            let token = try await Self.signIn(bench, [.deviceCredential: Self.credential])
            let response = try await bench.post("/auth/refresh", body, .bearing(token))
            try bench.expect(response, is: "invalid_request", 400)
        }
    }

    private static func run(_ body: @Sendable (Bench) async throws -> Void) async throws {
        try await Bench.run { settings in
            settings.clients[0].initiators = .knownDevice
            settings.clients[0].refresh.rotation = .always
        } _: { bench in
            try await body(bench)
        }
    }

    /// Without cookies, so that the session is on the device that was proved.
    private static func signIn(_ bench: Bench, _ headers: HTTPFields) async throws -> String {
        let login = try await bench.start(isChallenged: true, with: headers)
        try await bench.approve(login)
        return try #require(try await bench.poll(login, Bench.proof).decode(PollLoginResponse.self).refreshToken)
    }

    private static func signInByKey(_ bench: Bench) async throws -> String {
        let signed = "vestibule-login-start-v1\nbbms\nphone\n\(Bench.challenge)\n50005"
        let signature = try key.signature(for: Data(signed.utf8)).derRepresentation.base64EncodedString()
        let body =
            #"{"email":"ada@example.com","codeChallenge":"\#(Bench.challenge)","deviceId":"phone","#
            + #""deviceSignature":"\#(signature)","deviceCount":50005}"#
        let begun = try await bench.post(Bench.initiatePath, body).decode(InitiateLoginResponse.self)
        let ticket = try #require(begun.authIdUrl.split(separator: "/").last)
        try await bench.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
        try await bench.judge(.approved)
        let poll = "/auth/biometric-login/poll/\(begun.operationId)"
        let answer = try await bench.send(.get, poll, Bench.proof).decode(PollLoginResponse.self)
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
