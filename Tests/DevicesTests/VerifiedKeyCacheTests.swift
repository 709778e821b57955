import Crypto
import Kernel
import Testing

@testable import Devices

struct VerifiedKeyCacheTests {
    private let keys = VerifiedKeyCache()
    private let phone = DeviceName(client: "app", device: "phone")

    private static func key() throws -> DeviceKey {
        try DeviceKey(spki: Array(P256.Signing.PrivateKey().publicKey.derRepresentation))
    }

    // T-239
    @Test func `a verified key is found by client and device for counts above the highest one noted`() throws {
        let key = try Self.key()
        keys.note(key, phone, count: 7)
        keys.note(key, phone, count: 3)
        #expect(keys.key(of: phone, count: 8) == key)
        #expect(keys.key(of: phone, count: 7) == nil)
        #expect(keys.key(of: DeviceName(client: "other", device: "phone"), count: 8) == nil)
        let next = try Self.key()
        keys.note(next, phone, count: 1)
        #expect(keys.key(of: phone, count: 2) == next, "another key counts again")
    }

    // T-239
    @Test func `memory is bounded, and the oldest key is dropped first`() throws {
        let key = try Self.key()
        for number in 0...VerifiedKeyCache.capacity {
            keys.note(key, DeviceName(client: "app", device: "\(number)"), count: 1)
        }
        #expect(keys.count == VerifiedKeyCache.capacity)
        #expect(keys.key(of: DeviceName(client: "app", device: "0"), count: 2) == nil)
        #expect(keys.key(of: DeviceName(client: "app", device: "1"), count: 2) == key)
    }
}
