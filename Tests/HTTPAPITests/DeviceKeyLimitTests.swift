import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing

@testable import Assembly

/// A device that authenticates by its key, behind an address whose budget others have used up.
struct DeviceKeyLimitTests {
    private static let key = P256.Signing.PrivateKey()

    // T-239
    @Test(.ofOneDaemon(.dividedLimit))
    func `attack: 350 forged device-key signatures do not use up the starts of that device's key`()
        async throws
    {
        try await Self.crowded { harness in
            let before = harness.composition.service.limiterRefusals["initiate_per_address"] ?? 0
            for number in 0..<350 {
                let forged = Self.body(try P256.Signing.PrivateKey().signature(for: Self.signed(1_000)), 1_000)
                let answer = try await harness.post(Harness.initiatePath, forged)
                try #require(answer.status == .tooManyRequests, "forgery \(number)")
            }
            #expect(harness.composition.service.limiterRefusals["initiate_per_address"] == before + 350)
            try await Self.expectLogin(harness, count: 2)
        }
    }

    // T-239
    @Test(.ofOneDaemon(.dividedLimit))
    func `attack: device-key signatures that are old or for another client do not use up the device's starts`()
        async throws
    {
        try await Self.crowded { harness in
            let old = Self.body(try Self.key.signature(for: Self.signed(1)), 1)
            let other = Self.body(try Self.key.signature(for: Self.signed(7, client: "other")), 7)
            for body in [old, other] {
                for _ in 0..<350 { _ = try await harness.post(Harness.initiatePath, body) }
                try harness.expect(try await harness.post(Harness.initiatePath, body), is: "rate_limited", 429)
            }
            try await Self.expectLogin(harness, count: 8)
        }
    }

    // T-239
    @Test(.ofOneDaemon(.dividedLimit)) func `a device's key has a budget of its own, and no more`() async throws {
        try await Self.crowded { harness in
            var refused = 0
            for count in Int64(2)...330 {
                let body = Self.body(try Self.key.signature(for: Self.signed(count)), count)
                if try await harness.post(Harness.initiatePath, body).status == .tooManyRequests { refused += 1 }
            }
            #expect(refused == 29, "three hundred at once")
        }
    }

    /// The device has authenticated once; then its address has nothing left, neither for starts nor for unauthenticated
    /// callers.
    private static func crowded(_ body: @Sendable (Harness) async throws -> Void) async throws {
        try await Harness.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: key.publicKey)
            try await expectLogin(harness, count: 1)
            for number in 0..<299 { try await harness.start("person\(number)@example.com") }
            let junk: HTTPFields = .cookies("vst_device=\(String(repeating: "A", count: 43))")
            let start = #"{"email":"ada@example.com"}"#
            for _ in 0..<250 { _ = try await harness.post(Harness.initiatePath, start, junk) }
            try harness.expect(try await harness.post(Harness.initiatePath, start, junk), is: "rate_limited", 429)
            try await body(harness)
        }
    }

    private static func expectLogin(_ harness: Harness, count: Int64) async throws {
        let answer = try await harness.post(
            Harness.initiatePath,
            Self.body(try key.signature(for: signed(count)), count)
        )
        #expect(answer.status == .ok, "\(answer.text)")
    }

    private static func signed(_ count: Int64, client: String = "bbms") -> Data {
        Data("vestibule-login-start-v1\n\(client)\nphone\n\(Harness.challenge)\n\(count)".utf8)
    }

    private static func body(_ signature: P256.Signing.ECDSASignature, _ count: Int64) -> String {
        #"{"email":"ada@example.com","codeChallenge":"\#(Harness.challenge)","deviceId":"phone","#
            + #""deviceSignature":"\#(signature.derRepresentation.base64EncodedString())","deviceCount":\#(count)}"#
    }
}
