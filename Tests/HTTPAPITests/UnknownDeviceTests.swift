import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing
import Wire

@testable import Assembly

/// Ids of unknown devices cost the store little, and nobody else anything.
struct UnknownDeviceTests {
    private static let key = P256.Signing.PrivateKey()

    // T-239
    @Test(.ofOneDaemon(.dividedLimit), arguments: ["challenge", "verify"])
    func `attack: after two hundred unknown devices an address gets 429, and then twenty a second`(
        _ route: String
    ) async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Harness.spki(Self.key.publicKey), ada).status == .ok)
            _ = try await harness.challenge()
            for number in 0..<199 { #expect(try await ask(harness, route).status != .tooManyRequests, "\(number)") }
            for _ in 0..<40 { try harness.expect(try await ask(harness, route), is: "rate_limited", 429) }
            #expect(harness.composition.service.limiterRefusals["unknown_devices_per_address"] == 40)
            // Ada's phone is behind the same address.
            #expect(try await harness.signIn(by: Self.key).accessToken.isEmpty == false)
            harness.time.advance(by: .seconds(1))
            var admitted = 0
            for _ in 0..<30 {
                let answer = try await ask(harness, route)
                if answer.status != .tooManyRequests { admitted += 1 }
            }
            #expect(admitted == 20)
        }
    }

    /// With an id of its own each time.
    private func ask(_ harness: Harness, _ route: String) async throws -> TestResponse {
        let id = UUID().uuidString
        guard route == "verify" else {
            return try await harness.post(Harness.biometric + "/challenge", #"{"deviceId":"\#(id)"}"#)
        }
        return try await harness.verify("AAAA", try Self.key.signed(id), id)
    }
}
