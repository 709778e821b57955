import Crypto
import Foundation
import Kernel
import Testing

@testable import Passkeys

/// Which public keys are taken, and which signatures of theirs.
struct COSEKeyTests {
    private func fault(_ map: CBORMap) -> COSEKeyFault? {
        do throws(COSEKeyFault) {
            _ = try COSEKey(CBORWriter.bytes(.map(map)))
            return nil
        } catch { return error }
    }

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
            #expect(throws: COSEKeyFault.self) { try COSEKey(stored: broken) }
        }
    }

    @Test(arguments: [
        // The neutral element, under which one signature holds over every message, and a y that no point has.
        [1] + [UInt8](repeating: 0, count: 31), [2] + [UInt8](repeating: 0, count: 31),
    ])
    func `attack: what a client sends is checked for its point, though what is stored is not again`(_ x: [UInt8]) throws
    {
        let bytes: [UInt8] = [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + x
        #expect(throws: COSEKeyFault.notOnCurve) { try COSEKey(bytes) }
        let map = try #require(try CBORReader.read(bytes).mapping)
        #expect(throws: COSEKeyFault.notOnCurve) { try COSEKey(map, bytes: bytes) }
        #expect(try COSEKey(stored: bytes).bytes == bytes)
        #expect(throws: COSEKeyFault.notOnCurve) { try COSEKey(stored: Array(bytes[..<9] + [31] + x.dropLast())) }
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

    @Test func `PS256 and RS256 don't stand in for each other`() throws {
        let pkcs1 = try CredentialKey.make(.rs256)
        let pss = try CredentialKey.make(.ps256)
        #expect(!(try COSEKey(pss.cose)).verifies(try pkcs1.sign([1]), over: [1]))
        #expect(!(try COSEKey(pkcs1.cose)).verifies(try pss.sign([1]), over: [1]))
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
        #expect(fault(p256.with(3, CBORValue(-257))) == .mismatch)
        #expect(fault(ed25519.with(3, CBORValue(-7))) == .mismatch)
        // X25519, Ed448.
        #expect(fault(ed25519.with(-1, CBORValue(4))) == .mismatch)
        #expect(fault(ed25519.with(-1, CBORValue(7))) == .mismatch)
    }

    @Test(arguments: [-53, -47, -38, -39, -65535, -258, -9, 1, 0, Int64.min] as [Int64])
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
        #expect(throws: COSEKeyFault.notCBOR(.trailingBytes)) { try COSEKey(key.cose + [0]) }
        #expect(throws: COSEKeyFault.notCBOR(.truncated)) { try COSEKey([]) }
        #expect(throws: COSEKeyFault.malformed) { try COSEKey([0x80]) }
    }
}
