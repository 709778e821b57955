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

/// Ids of unknown devices cost the store little, and nobody else anything.
struct UnknownDeviceTests {
    private static let key = P256.Signing.PrivateKey()

    @Test(arguments: ["challenge", "verify"])
    func `attack: an address asks for two hundred devices that there are not, and then for twenty a second`(
        _ route: String
    ) async throws {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            #expect(try await bench.setUp(Bench.spki(Self.key.publicKey), ada).status == .ok)
            _ = try await bench.challenge()
            for number in 0..<199 { #expect(try await ask(bench, route).status != .tooManyRequests, "\(number)") }
            for _ in 0..<40 { try bench.expect(try await ask(bench, route), is: "rate_limited", 429) }
            #expect(bench.composition.service.limiterRefusals["unknown_devices_per_address"] == 40)
            // Ada's phone is behind the same address.
            #expect(try await bench.signIn(by: Self.key).accessToken.isEmpty == false)
            bench.time.advance(by: .seconds(1))
            var admitted = 0
            for _ in 0..<30 {
                let answer = try await ask(bench, route)
                if answer.status != .tooManyRequests { admitted += 1 }
            }
            #expect(admitted == 20)
        }
    }

    /// With an id of its own each time.
    private func ask(_ bench: Bench, _ route: String) async throws -> TestResponse {
        let id = UUID().uuidString
        guard route == "verify" else {
            return try await bench.post(Bench.biometric + "/challenge", #"{"deviceId":"\#(id)"}"#)
        }
        return try await bench.verify("AAAA", try Self.key.signed(id), id)
    }
}
