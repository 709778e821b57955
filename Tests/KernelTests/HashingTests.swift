import Crypto
import Kernel
import Testing

struct HashingTests {
    /// FIPS 180-4's example of one block.
    @Test func `a text's digest is the one of the standard`() {
        let digest = Digest256(sha256: "abc")
        #expect(Hex.encode(digest.bytes) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Digest256(sha256: Secret("abc")) == digest)
        #expect(Digest256(SHA256.hash(data: Array("abc".utf8))) == digest)
    }

    /// RFC 4231 §4.3, test case 2.
    @Test func `a keyed digest is the one of the standard, in however many parts it comes`() {
        let hash = KeyedHash(key: SymmetricKey(data: Array("Jefe".utf8)))
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        #expect(Hex.encode(hash.digest(Array("what do ya want for nothing?".utf8)).bytes) == expected)
        #expect(Hex.encode(hash.digest(Array("what do ya want ".utf8), Array("for nothing?".utf8)).bytes) == expected)
    }

    @Test func `a keyed digest is the library's, for keys and messages around the size of a block`() {
        for keyCount in [0, 1, 31, 32, 63, 64, 65, 131, 200] {
            let key = SymmetricKey(data: (0..<keyCount).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) })
            for count in [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 300] {
                let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 13 + keyCount) }
                let expected = Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
                #expect(KeyedHash(key: key).digest(message).bytes == expected, "\(keyCount), \(count)")
            }
        }
    }

    @Test func `a value of one purpose is not valid for another`() {
        let hash = KeyedHash(key: Digest256(sha256: "a key"))
        #expect(hash.digest(Array("x".utf8), purpose: "code") != hash.digest(Array("x".utf8), purpose: "address"))
        #expect(hash.digest(Array("bc".utf8), purpose: "a") != hash.digest(Array("c".utf8), purpose: "ab"))
    }
}
