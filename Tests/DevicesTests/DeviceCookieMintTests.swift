import Crypto
import Kernel
import Testing

@testable import Devices

struct DeviceCookieMintTests {
    private let session = SessionID(UUIDBits(high: 1, low: 2))

    @Test func `the same session has the same cookie, also after a restart`() {
        #expect(mint(1).cookie(for: session) == mint(1).cookie(for: session))
    }

    @Test func `another session has another cookie`() {
        #expect(mint(1).cookie(for: session) != mint(1).cookie(for: SessionID(UUIDBits(high: 1, low: 3))))
    }

    @Test func `attack: without the key the session's id does not tell the cookie`() {
        #expect(mint(1).cookie(for: session) != mint(2).cookie(for: session))
        let plain = Base64URL.encode(SHA256.hash(data: session.bits.bytes))
        #expect(mint(1).cookie(for: session).expose() != plain)
    }

    @Test func `it is 256 bits of base64url, the keyed hash of the session's bytes`() {
        let input = Array("device-cookie".utf8) + session.bits.bytes
        let code = HMAC<SHA256>.authenticationCode(for: input, using: Self.key(1))
        #expect(mint(1).cookie(for: session).expose() == Base64URL.encode(code))
        #expect(mint(1).cookie(for: session).expose().utf8.count == 43)
    }

    private static func key(_ byte: UInt8) -> SymmetricKey { SymmetricKey(data: Array(repeating: byte, count: 32)) }
    private func mint(_ byte: UInt8) -> DeviceCookieMint { DeviceCookieMint(key: Self.key(byte)) }
}
