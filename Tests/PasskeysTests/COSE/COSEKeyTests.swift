import Crypto
import Foundation
import Kernel
import Testing

@testable import Passkeys

/// Which public keys are taken, and which signatures of theirs.
struct COSEKeyTests {
    private func fault(_ map: CBORMap) -> COSEKeyError? {
        do throws(COSEKeyError) {
            _ = try COSEKey(CBORWriter.bytes(.map(map)))
            return nil
        } catch { return error }
    }

    // T-130
    @Test(arguments: COSEAlgorithm.allCases)
    func `a key of each algorithm verifies what it signed and nothing else`(_ algorithm: COSEAlgorithm) throws {
        let key = try CredentialKey.make(algorithm)
        let parsed = try COSEKey(key.cose)
        #expect(parsed.algorithm == algorithm && parsed.bytes == key.cose)
        let signature = try key.sign([1, 2, 3, 4])
        #expect(parsed.verifies(signature, over: [1, 2, 3, 4]))
        #expect(parsed.verifies(signature, over: [1], [2, 3, 4]))
        #expect(!parsed.verifies(signature, over: [1, 2, 3, 5]))
        #expect(!parsed.verifies(signature, over: [1, 2, 3]))
        #expect(!parsed.verifies([], over: [1, 2, 3, 4]))
    }

    @Test(arguments: COSEAlgorithm.allCases)
    func `a key that was stored verifies what it verified before`(_ algorithm: COSEAlgorithm) throws {
        let key = try CredentialKey.make(algorithm)
        let stored = try COSEKey(stored: try COSEKey(key.cose).bytes)
        #expect(stored == (try COSEKey(key.cose)) && stored.algorithm == algorithm)
        #expect(stored.verifies(try key.sign([1, 2]), over: [1, 2]))
        #expect(!stored.verifies(try key.sign([1, 2]), over: [1, 3]))
        for broken in [key.cose + [0], Array(key.cose.dropLast()), [], [0x80]] {
            #expect(throws: COSEKeyError.self) { try COSEKey(stored: broken) }
        }
    }

    // T-130
    @Test(arguments: [
        // The neutral element, under which one signature holds over every message, and a y that no point has.
        [1] + [UInt8](repeating: 0, count: 31), [2] + [UInt8](repeating: 0, count: 31),
    ])
    func `attack: a new Ed25519 key off the curve is refused, while a stored one is not checked again`(
        _ x: [UInt8]
    ) throws {
        let bytes: [UInt8] = [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + x
        #expect(throws: COSEKeyError.notOnCurve) { try COSEKey(bytes) }
        let map = try #require(try CBORReader.read(bytes).mapping)
        #expect(throws: COSEKeyError.notOnCurve) { try COSEKey(map, bytes: bytes) }
        #expect(try COSEKey(stored: bytes).bytes == bytes)
        #expect(throws: COSEKeyError.notOnCurve) { try COSEKey(stored: Array(bytes[..<9] + [31] + x.dropLast())) }
    }

    @Test func `the signature of RFC 8037 §A.4 holds under its key`() throws {
        let x = try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        let signature = try #require(
            Base64URL.decode("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
        )
        let key = try COSEKey([0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + x)
        let header = Array("eyJhbGciOiJFZERTQSJ9.".utf8)
        let payload = Array("RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        #expect(key.verifies(signature, over: header, payload))
        #expect(!key.verifies(signature, over: payload, header))
    }

    private static let rsaAlgorithms: [COSEAlgorithm] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]

    // T-130
    @Test(arguments: rsaAlgorithms)
    func `attack: an RSA signature of another padding or hash is refused`(_ algorithm: COSEAlgorithm) throws {
        let key = try COSEKey(try CredentialKey.make(algorithm).cose)
        for other in Self.rsaAlgorithms {
            // One RSA key is behind all of them: they differ in padding and hash alone.
            let signature = try CredentialKey.make(other).sign([1])
            #expect(key.verifies(signature, over: [1]) == (other == algorithm), "\(other)")
        }
    }

    // T-130
    @Test(arguments: rsaAlgorithms)
    func `attack: an RSA key below 2048 bits is refused, and one above 8192`(_ algorithm: COSEAlgorithm) throws {
        let key = try CredentialKey.make(algorithm).parameters
        for bits in [512, 1024, 2040, 8200, 16_384] {
            let modulus = [0x80] + [UInt8](repeating: 1, count: bits / 8 - 1)
            #expect(fault(key.with(-1, .bytes(modulus))) == .modulusSize, "\(bits)")
        }
        #expect(fault(key.with(-2, .bytes([3]))) == .rsaNumbers)
    }

    // T-130
    @Test(arguments: [(COSEAlgorithm.mlDSA65, COSEAlgorithm.mlDSA87), (.mlDSA87, .mlDSA65)])
    func `attack: an ML-DSA key of another length or with a private part is refused`(
        _ algorithm: COSEAlgorithm,
        _ other: COSEAlgorithm
    ) throws {
        let key = try CredentialKey.make(algorithm).parameters
        let bytes = try #require(key[-1]?.byteString)
        // ML-DSA-44 (-48) has no key here, and the two others none of each other's length.
        #expect(fault(key.with(3, CBORValue(-48))) == .unsupportedAlgorithm(-48))
        #expect(fault(key.with(3, CBORValue(other.rawValue))) == .keyLength)
        #expect(fault(key.with(-1, .bytes(bytes + [0]))) == .keyLength)
        #expect(fault(key.with(-1, .bytes(Array(bytes.dropLast())))) == .keyLength)
        #expect(fault(key.with(-2, .bytes(Array(repeating: 7, count: 32)))) == .malformed)
        for type in [1, 2, 3, 4] as [Int64] { #expect(fault(key.with(1, CBORValue(type))) == .mismatch) }
        let parsed = try COSEKey(CBORWriter.bytes(.map(key)))
        #expect(parsed.point == nil && parsed.subjectPublicKeyInfo == nil)
    }

    // T-130
    @Test func `attack: an ML-DSA signature with a context, over a hash or of another length is refused`() throws {
        let pair = try MLDSA65.PrivateKey()
        let map = try CredentialKey.make(.mlDSA65).parameters
            .with(-1, .bytes(Array(pair.publicKey.rawRepresentation)))
        let key = try COSEKey(CBORWriter.bytes(.map(map)))
        let message: [UInt8] = [1, 2, 3]
        let signature = Array(try pair.signature(for: message))
        #expect(key.verifies(signature, over: message))
        #expect(!key.verifies(Array(try pair.signature(for: message, context: [UInt8]("web".utf8))), over: message))
        #expect(!key.verifies(Array(try pair.signature(for: Array(SHA512.hash(data: message)))), over: message))
        #expect(!key.verifies(signature + [0], over: message))
        #expect(!key.verifies(Array(signature.dropLast()), over: message))
        #expect(!key.verifies(Array(repeating: 0, count: signature.count), over: message))
        let stronger = try CredentialKey.make(.mlDSA87)
        #expect(!key.verifies(try stronger.sign(message), over: message))
    }

    @Test func `ECDSA signatures are in DER and in nothing else`() throws {
        let key = P256.Signing.PrivateKey()
        let point = Array(key.publicKey.rawRepresentation)
        let parsed = try COSEKey(
            CBORWriter.bytes(
                .map(
                    CBORMap([
                        (CBORValue(1), CBORValue(2)), (CBORValue(3), CBORValue(-7)), (CBORValue(-1), CBORValue(1)),
                        (CBORValue(-2), .bytes(Array(point[..<32]))), (CBORValue(-3), .bytes(Array(point[32...]))),
                    ])
                )
            )
        )
        let signature = try key.signature(for: [UInt8](Array(1...9)))
        #expect(parsed.verifies(Array(signature.derRepresentation), over: Array(1...9)))
        #expect(!parsed.verifies(Array(signature.rawRepresentation), over: Array(1...9)))
        // r = s = 0 (CVE-2022-21449).
        #expect(!parsed.verifies([0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00], over: Array(1...9)))
        #expect(parsed.point == [4] + point)
        #expect(parsed.subjectPublicKeyInfo == Array(key.publicKey.derRepresentation))
    }

    @Test(arguments: COSEAlgorithm.allCases)
    func `each parameter is needed, of its kind, and no other is taken`(_ algorithm: COSEAlgorithm) throws {
        let key = try CredentialKey.make(algorithm).parameters
        #expect(fault(key) == nil)
        for label in key.entries.compactMap(\.key.integer) {
            #expect(fault(key.with(label, nil)) != nil, "without \(label)")
            #expect(fault(key.with(label, .null)) != nil, "null for \(label)")
            #expect(fault(key.with(label, .bytes([]))) != nil, "nothing for \(label)")
        }
        // Key operations, a key id: WebAuthn L3 §6.5.1.1 wants no optional parameter.
        #expect(fault(key.with(2, .bytes([1]))) == .malformed)
        #expect(fault(key.with(4, .array([.unsigned(2)]))) == .malformed)
        #expect(fault(key.with(-4, .bytes([1]))) == .malformed)
    }

    @Test func `the type, the curve and the algorithm agree`() throws {
        let p256 = try CredentialKey.make(.es256).parameters
        let ed25519 = try CredentialKey.make(.edDSA).parameters
        #expect(fault(p256.with(1, CBORValue(1))) == .mismatch)
        #expect(fault(p256.with(-1, CBORValue(2))) == .mismatch)
        // secp256k1.
        #expect(fault(p256.with(-1, CBORValue(8))) == .mismatch)
        #expect(fault(p256.with(3, CBORValue(-8))) == .mismatch)
        #expect(fault(p256.with(3, CBORValue(-35))) == .mismatch)
        for rsa in Self.rsaAlgorithms { #expect(fault(p256.with(3, CBORValue(rsa.rawValue))) == .mismatch) }
        #expect(fault(p256.with(3, CBORValue(-49))) == .mismatch)
        #expect(fault(p256.with(1, CBORValue(7))) == .mismatch)
        #expect(fault(ed25519.with(3, CBORValue(-7))) == .mismatch)
        // X25519, Ed448.
        #expect(fault(ed25519.with(-1, CBORValue(4))) == .mismatch)
        #expect(fault(ed25519.with(-1, CBORValue(7))) == .mismatch)
    }

    @Test(arguments: [-53, -51, -48, -47, -40, -65535, -260, -9, 1, 0, Int64.min] as [Int64])
    func `an algorithm that isn't verified is refused by its number`(_ algorithm: Int64) throws {
        let key = try CredentialKey.make(.es256).parameters
        #expect(fault(key.with(3, CBORValue(algorithm))) == .unsupportedAlgorithm(algorithm))
    }

    @Test(arguments: [COSEAlgorithm.es256, .es384, .es512])
    func `a point off the curve is refused, a compressed one, and one of another length`(
        _ algorithm: COSEAlgorithm
    ) throws {
        let key = try CredentialKey.make(algorithm).parameters
        let x = try #require(key[-2]?.byteString)
        let y = try #require(key[-3]?.byteString)
        #expect(fault(key.with(-3, .bytes(x))) == .notOnCurve)
        #expect(fault(key.with(-2, .bytes(Array(x.dropFirst())))) == .notOnCurve)
        #expect(fault(key.with(-3, .bytes([0] + y))) == .notOnCurve)
        #expect(fault(key.with(-2, .bytes(Array(repeating: 0xFF, count: x.count)))) == .notOnCurve)
        let zero = CBORValue.bytes(Array(repeating: 0, count: x.count))
        #expect(fault(key.with(-2, zero).with(-3, zero)) == .notOnCurve)
        #expect(fault(key.with(-3, .bool(true))) == .malformed)
    }

    @Test func `the form is one map and nothing behind it`() throws {
        let key = try CredentialKey.make(.es256)
        #expect(throws: COSEKeyError.notCBOR(.trailingBytes)) { try COSEKey(key.cose + [0]) }
        #expect(throws: COSEKeyError.notCBOR(.truncated)) { try COSEKey([]) }
        #expect(throws: COSEKeyError.malformed) { try COSEKey([0x80]) }
    }
}
