import Crypto
import Kernel
import Testing

@testable import Devices

struct DeviceCookieFactoryTests {
    private let session = SessionID(UUIDBits(high: 1, low: 2))

    @Test func `the same session has the same cookie, also after a restart`() {
        #expect(factory(1).cookie(for: session) == factory(1).cookie(for: session))
    }

    @Test func `another session has another cookie`() {
        #expect(factory(1).cookie(for: session) != factory(1).cookie(for: SessionID(UUIDBits(high: 1, low: 3))))
    }

    // T-046
    @Test func `attack: a device cookie can't be computed from the session id without the key`() {
        #expect(factory(1).cookie(for: session) != factory(2).cookie(for: session))
        let plain = Base64URL.encode(SHA256.hash(data: session.bits.bytes))
        #expect(factory(1).cookie(for: session).expose() != plain)
    }

    @Test func `it is 256 bits of base64url: the keyed hash of the session's bytes, and the keyed hash of that`() {
        let name = Self.code(Array("device-cookie".utf8) + session.bits.bytes)
        let mark = Self.code(Array("device-cookie-mark".utf8) + name)
        #expect(factory(1).cookie(for: session).expose() == Base64URL.encode(name + mark))
        #expect(factory(1).cookie(for: session).expose().utf8.count == 43)
    }

    // T-046
    @Test func `attack: a device cookie changed in any bit, or made with another key, does not count as issued`() throws
    {
        let cookie = factory(1).cookie(for: session).expose()
        #expect(factory(1).isIssued(cookie))
        #expect(!factory(2).isIssued(cookie))
        let bytes = try #require(Base64URL.decode(cookie))
        for bit in 0..<(8 * bytes.count) {
            var forged = bytes
            forged[bit / 8] ^= 1 << (bit % 8)
            #expect(!factory(1).isIssued(Base64URL.encode(forged)), "bit \(bit)")
        }
        for other in ["", "x", String(repeating: "A", count: 43), cookie + "A", String(cookie.dropLast(4))] {
            #expect(!factory(1).isIssued(other), "\(other)")
        }
    }

    private static func code(_ input: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: input, using: key(1)).prefix(16))
    }

    private static func key(_ byte: UInt8) -> SymmetricKey { SymmetricKey(data: Array(repeating: byte, count: 32)) }
    private func factory(_ byte: UInt8) -> DeviceCookieFactory { DeviceCookieFactory(key: Self.key(byte)) }
}
