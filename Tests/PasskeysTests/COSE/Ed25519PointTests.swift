import Crypto
import Foundation
import Testing

@testable import Passkeys

/// Which 32 bytes are a point of Ed25519.
struct Ed25519PointTests {
    @Test func `keys are points`() {
        for _ in 0..<20 {
            let key = Array(Curve25519.Signing.PrivateKey().publicKey.rawRepresentation)
            #expect(Ed25519Point.isGood(key))
            var other = key
            other[31] ^= 0x80
            #expect(Ed25519Point.isGood(other), "the other of the two with that y")
        }
    }

    @Test func `the keys of RFC 8032 §7.1 are points`() throws {
        for text in [
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        ] {
            #expect(Ed25519Point.isGood(try #require([UInt8](hex: text))), "\(text)")
        }
    }

    @Test func `every second y is none of a point`() {
        // By the theorem of Hasse about half of all are; the chance of fewer than 40 in 256 is below 2^-90.
        let good = (0..<256).count { number in
            Ed25519Point.isGood(Array(SHA256.hash(data: [UInt8(number)])))
        }
        #expect((60...196).contains(good))
        // RFC 8032 §5.1.3: 2 is none.
        #expect(!Ed25519Point.isGood([2] + Array(repeating: 0, count: 31)))
    }

    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        // The same numbers, and others, with the prime added.
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ])
    func `attack: a key of small order, or in a second encoding, is refused`(_ text: String) throws {
        #expect(!Ed25519Point.isGood(try #require([UInt8](hex: text))))
    }

    @Test func `other lengths are none`() {
        #expect(!Ed25519Point.isGood([]))
        #expect(!Ed25519Point.isGood(Array(repeating: 3, count: 31)))
        #expect(!Ed25519Point.isGood(Array(repeating: 3, count: 33)))
    }
}
