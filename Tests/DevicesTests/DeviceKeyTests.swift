import Crypto
import CryptoExtras
import Foundation
import Kernel
import Testing

@testable import Devices

/// Which keys are taken, and which signatures of theirs.
struct DeviceKeyTests {
    private typealias Vectors = OpenSSLVectors

    /// A key, a signature of it, and whether the bytes of the challenge are signed, not its text.
    struct Signed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: String
        let signature: String
        let isOverBytes: Bool

        init(_ name: String, _ key: String, _ signature: String, bytes: Bool = false) {
            testDescription = name
            self.key = key
            self.signature = signature
            isOverBytes = bytes
        }
    }

    private static let good = [
        Signed("P-256, text", Vectors.p256, Vectors.p256DEROverText),
        Signed("P-256, bytes", Vectors.p256, Vectors.p256DEROverBytes, bytes: true),
        Signed("RSA-2048, PKCS #1, text", Vectors.rsa2048, Vectors.rsa2048PKCS1OverText),
        Signed("RSA-2048, PKCS #1, bytes", Vectors.rsa2048, Vectors.rsa2048PKCS1OverBytes, bytes: true),
        Signed("RSA-3072, PSS, text", Vectors.rsa3072, Vectors.rsa3072PSSOverText),
        Signed("RSA-3072, PSS, bytes", Vectors.rsa3072, Vectors.rsa3072PSSOverBytes, bytes: true),
        Signed("RSA-8192, PKCS #1, text", LargestKeyVector.rsa8192, LargestKeyVector.rsa8192PKCS1OverText),
    ]

    @Test(arguments: good)
    func `signatures that OpenSSL made are valid over their message, and over nothing else`(
        _ vector: Signed
    ) throws {
        let key = try DeviceKey(spki: Self.bytes(vector.key))
        let signature = try Self.bytes(vector.signature)
        #expect(key.verifies(answer(signature)), "the text first, else the bytes")
        let text = Array(Vectors.challenge.utf8)
        #expect(key.verifies(signature, over: text) == !vector.isOverBytes)
        #expect(key.verifies(signature, over: Array(0..<32)) == vector.isOverBytes)
        #expect(!key.verifies(answer(signature, to: "AAAA" + Vectors.challenge.dropFirst(4))))
        let stored = try #require(DeviceKey(text: key.text))
        #expect(stored == key && stored.verifies(answer(signature)))
    }

    // T-126
    @Test(arguments: good)
    func `attack: a signature with a changed bit, cut off or extended is refused`(_ vector: Signed) throws {
        let key = try DeviceKey(spki: Self.bytes(vector.key))
        let signature = try Self.bytes(vector.signature)
        for position in stride(from: 0, to: signature.count, by: max(1, signature.count / 40)) {
            var forged = signature
            forged[position] ^= 1 << UInt8(position % 8)
            #expect(!key.verifies(answer(forged)), "byte \(position)")
        }
        for forged in [[], Array(signature.dropLast()), signature + [0], [0] + signature] {
            #expect(!key.verifies(answer(forged)), "\(forged.count) bytes")
        }
    }

    // T-126
    @Test func `attack: one key's signature is no other's`() throws {
        for vector in Self.good {
            for other in Self.good where other.key != vector.key {
                let key = try DeviceKey(spki: Self.bytes(other.key))
                #expect(try !key.verifies(answer(Self.bytes(vector.signature))))
            }
        }
    }

    // T-126
    @Test func `attack: an RSA signature with SHA-1 or another salt length is refused`() throws {
        let small = try DeviceKey(spki: Self.bytes(Vectors.rsa2048))
        #expect(try !small.verifies(answer(Self.bytes(Vectors.rsa2048SHA1))))
        let large = try DeviceKey(spki: Self.bytes(Vectors.rsa3072))
        for signature in [Vectors.rsa3072PSSLongSalt, Vectors.rsa3072PSSNoSalt] {
            #expect(try !large.verifies(answer(Self.bytes(signature))))
        }
    }

    // T-126
    @Test func `both forms of an ECDSA signature are taken, and zeros are none`() throws {
        let signer = P256.Signing.PrivateKey()
        let key = try DeviceKey(spki: Array(signer.publicKey.derRepresentation))
        let signature = try signer.signature(for: Data(Vectors.challenge.utf8))
        #expect(key.verifies(answer(Array(signature.derRepresentation))))
        #expect(key.verifies(answer(Array(signature.rawRepresentation))))
        #expect(!key.verifies(answer([UInt8](repeating: 0, count: 64))), "CVE-2022-21449")
        #expect(!key.verifies(answer([0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00])))
    }

    @Test func `keys of swift-crypto are taken as OpenSSL's are`() throws {
        let signer = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let spki = try #require(Data(base64Encoded: Self.body(of: signer.publicKey.pemRepresentation)))
        let key = try DeviceKey(spki: Array(spki))
        let digest = SHA256.hash(data: Data(Vectors.challenge.utf8))
        for padding in [_RSA.Signing.Padding.PSS, .insecurePKCS1v1_5] {
            let signature = try signer.signature(for: digest, padding: padding)
            #expect(key.verifies(answer(Array(signature.rawRepresentation))))
        }
    }

    private static let weak: [(String, DeviceKeyError)] = [
        (WeakKeyVectors.rsa1024, .modulusSize(bits: 1024)), (WeakKeyVectors.n8200, .modulusSize(bits: 8200)),
        (WeakKeyVectors.even, .modulusFactor), (WeakKeyVectors.small, .modulusFactor),
        (WeakKeyVectors.roca, .modulusFingerprint),
        (WeakKeyVectors.e1, .exponent), (WeakKeyVectors.e3, .exponent), (WeakKeyVectors.eEven, .exponent),
        (WeakKeyVectors.eHuge, .exponent), (WeakKeyVectors.e0, .unreadable), (WeakKeyVectors.offCurve, .notOnCurve),
        (WeakKeyVectors.p384, .unknownAlgorithm), (WeakKeyVectors.k1, .unknownAlgorithm),
        (WeakKeyVectors.ed, .unknownAlgorithm), (WeakKeyVectors.explicit, .unknownAlgorithm),
        (WeakKeyVectors.rsapss, .unknownAlgorithm),
    ]

    // T-126, O-080
    @Test(arguments: weak)
    func `attack: a weak key, or one of another kind, is refused with its reason`(
        _ key: String,
        _ fault: DeviceKeyError
    ) throws {
        let spki = try Self.bytes(key)
        #expect(throws: fault) { try DeviceKey(spki: spki) }
    }

    // T-126
    @Test(arguments: [Vectors.p256, Vectors.rsa2048])
    func `attack: a device key with bytes added or cut off is refused`(_ key: String) throws {
        let spki = try Self.bytes(key)
        for forged in [spki + [0], spki + spki, [0] + spki, Array(spki.dropLast()), Array(spki.dropFirst()), []] {
            #expect(throws: DeviceKeyError.unreadable) { try DeviceKey(spki: forged) }
        }
    }

    // T-126
    @Test func `attack: a key with any change is refused or is another key`() throws {
        for text in [Vectors.p256, Vectors.rsa2048] {
            let spki = try Self.bytes(text)
            let key = try DeviceKey(spki: spki)
            for position in spki.indices {
                for bit in [UInt8(0x01), 0x80] {
                    var forged = spki
                    forged[position] ^= bit
                    #expect((try? DeviceKey(spki: forged)) != key, "byte \(position)")
                }
            }
        }
    }

    @Test func `the point at infinity and a compressed point are refused`() throws {
        let spki = try Self.bytes(Vectors.p256)
        let algorithm = Array(spki[2..<23])
        let infinity: [UInt8] = [0x30, 0x19] + algorithm + [0x03, 0x02, 0x00, 0x00]
        let compressed: [UInt8] = [0x30, 0x39] + algorithm + [0x03, 0x22, 0x00, 0x02] + spki[27..<59]
        for forged in [infinity, compressed] {
            #expect(throws: DeviceKeyError.notOnCurve) { try DeviceKey(spki: forged) }
        }
    }

    @Test(arguments: [
        "", "mwsim_device_1", "AA", String(repeating: "A", count: 87), String(repeating: "A", count: 392),
    ])
    func `a text other than a key is not read as one`(_ text: String) { #expect(DeviceKey(text: text) == nil) }

    private func answer(_ signature: [UInt8], to challenge: String = Vectors.challenge) -> ChallengeAnswer {
        ChallengeAnswer(device: DeviceName(client: "app", device: "d"), challenge: challenge, signature: signature)
    }

    private static func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

    private static func body(of pem: String) -> String {
        pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    }
}
