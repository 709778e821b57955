import Crypto
import CryptoExtras
import Foundation
import Testing
import X509

@testable import Passkeys

/// Every algorithm that an attestation may be signed with, and every key that is not its.
@Suite struct CertificateKeyTests {
    private let message = Array("authenticator data".utf8)

    @Test func `each algorithm verifies with its own keys`() throws {
        for (algorithm, key, signature) in try signatures() {
            #expect(throws: Never.self) { try CertificateKey(key).check(signature, over: message, algorithm) }
            #expect(throws: AttestationError.signatureInvalid) {
                try CertificateKey(key).check(signature, over: message + [0], algorithm)
            }
        }
    }

    // T-130
    @Test func `no algorithm takes a key of another`() throws {
        let all = try signatures()
        for (algorithm, _, signature) in all {
            let families: Set<COSEAlgorithm> = Self.rsa.contains(algorithm) ? Self.rsa : [algorithm]
            for (other, key, _) in all where !families.contains(other) {
                #expect(throws: AttestationError.algorithmMismatch) {
                    try CertificateKey(key).check(signature, over: message, algorithm)
                }
            }
        }
    }

    // T-130
    @Test func `attack: an RSA certificate's signature of another padding or hash is refused`() throws {
        let signed = try signatures().filter { Self.rsa.contains($0.0) }
        #expect(signed.count == Self.rsa.count)
        for (algorithm, key, _) in signed {
            for (other, _, signature) in signed where other != algorithm {
                #expect(throws: AttestationError.signatureInvalid, "\(other) for \(algorithm)") {
                    try CertificateKey(key).check(signature, over: message, algorithm)
                }
            }
        }
    }

    @Test(arguments: [COSEAlgorithm.mlDSA65, .mlDSA87])
    func `no certificate attests by ML-DSA`(_ algorithm: COSEAlgorithm) throws {
        let credential = try CredentialKey.make(algorithm)
        for (_, key, _) in try signatures() {
            #expect(throws: AttestationError.algorithmMismatch) {
                try CertificateKey(key).check(try credential.sign(message), over: message, algorithm)
            }
            #expect(!CertificateKey(key).matches(try COSEKey(credential.cose)))
        }
    }

    private static let rsa: Set<COSEAlgorithm> = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]

    @Test func `a key matches the credential that has it and no other`() throws {
        let key = P256.Signing.PrivateKey().publicKey
        let wide = P384.Signing.PrivateKey().publicKey
        let credential = try COSEKey(TestCredential.cose(key))
        #expect(CertificateKey(Certificate.PublicKey(key)).matches(credential))
        #expect(!CertificateKey(Certificate.PublicKey(P256.Signing.PrivateKey().publicKey)).matches(credential))
        #expect(!CertificateKey(Certificate.PublicKey(wide)).matches(credential))
        #expect(CertificateKey(Certificate.PublicKey(wide)).matches(try COSEKey(TestCredential.cose(wide))))
        let modulus = [0x80] + [UInt8](repeating: 1, count: 255)
        let rsa = try _RSA.Signing.PublicKey(n: modulus, e: [1, 0, 1])
        #expect(CertificateKey(Certificate.PublicKey(rsa)).matches(try COSEKey(TestCredential.cose(modulus: modulus))))
        #expect(!CertificateKey(Certificate.PublicKey(rsa)).matches(credential))
    }

    private func signatures() throws -> [(COSEAlgorithm, Certificate.PublicKey, [UInt8])] {
        let p256 = P256.Signing.PrivateKey()
        let p384 = P384.Signing.PrivateKey()
        let p521 = P521.Signing.PrivateKey()
        let ed25519 = Curve25519.Signing.PrivateKey()
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        return [
            (.es256, .init(p256.publicKey), Array(try p256.signature(for: message).derRepresentation)),
            (.es384, .init(p384.publicKey), Array(try p384.signature(for: message).derRepresentation)),
            (.es512, .init(p521.publicKey), Array(try p521.signature(for: message).derRepresentation)),
            (.edDSA, .init(ed25519.publicKey), Array(try ed25519.signature(for: message))),
            (.rs256, .init(rsa.publicKey), try signature(rsa, SHA256.hash(data: message), .insecurePKCS1v1_5)),
            (.rs384, .init(rsa.publicKey), try signature(rsa, SHA384.hash(data: message), .insecurePKCS1v1_5)),
            (.rs512, .init(rsa.publicKey), try signature(rsa, SHA512.hash(data: message), .insecurePKCS1v1_5)),
            (.ps256, .init(rsa.publicKey), try signature(rsa, SHA256.hash(data: message), .PSS)),
            (.ps384, .init(rsa.publicKey), try signature(rsa, SHA384.hash(data: message), .PSS)),
            (.ps512, .init(rsa.publicKey), try signature(rsa, SHA512.hash(data: message), .PSS)),
        ]
    }

    private func signature(
        _ key: _RSA.Signing.PrivateKey,
        _ digest: some Digest,
        _ padding: _RSA.Signing.Padding
    ) throws -> [UInt8] {
        Array(try key.signature(for: digest, padding: padding).rawRepresentation)
    }
}
