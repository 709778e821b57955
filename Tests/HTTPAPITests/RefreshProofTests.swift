import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing
import Wire

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
                "", "{}", #"{"deviceId":"phone"}"#, Self.proof(of: token, count: 10, by: other),
                Self.proof(of: token + "A", count: 10), Self.proof(of: token, count: 10, device: "tablet"),
                Self.proof(of: token, count: 1),
            ]
            for body in bodies {
                let response = try await bench.post("/auth/refresh", body, .bearing(token))
                try bench.expect(response, is: "unauthorized", 401)
            }
            let good = try Self.proof(of: token, count: 11)
            let fresh = try await bench.post("/auth/refresh", good, .bearing(token)).decode(RefreshResponse.self)
            let replayed = try await bench.post("/auth/refresh", good, .bearing(token))
            try bench.expect(replayed, is: "unauthorized", 401)
            bench.time.advance(by: .seconds(23 * 3600))
            let again = try await bench.post("/auth/refresh", Self.proof(of: token, count: 12), .bearing(token))
            #expect(try again.decode(RefreshResponse.self).refreshToken == fresh.refreshToken)
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
            settings.clients[0].refresh = .rotation
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
        let signed = "vestibule-login-start-v1\nbbms\nphone\n\(Bench.challenge)\n5"
        let signature = try key.signature(for: Data(signed.utf8)).derRepresentation.base64EncodedString()
        let body =
            #"{"email":"ada@example.com","codeChallenge":"\#(Bench.challenge)","deviceId":"phone","#
            + #""deviceSignature":"\#(signature)","deviceCount":5}"#
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
