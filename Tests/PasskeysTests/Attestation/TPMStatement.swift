import Crypto
import Foundation
import SwiftASN1
import X509

@testable import Passkeys

/// The statement of a TPM, each part of which a test can spoil.
struct TPMStatement {
    let credential: TestCredential
    let attestationKey = P256.Signing.PrivateKey()
    var recipe = CertificateRecipe.tpm()
    /// What the certificate is for; the attestation key if there is none.
    var certificateKey: Certificate.PublicKey?
    var version = "2.0"
    var algorithm = CBORValue.negative(6)
    var publicArea: [UInt8]
    var magic: [UInt8] = [0xFF, 0x54, 0x43, 0x47]
    var type: [UInt8] = [0x80, 0x17]
    var extraData: [UInt8]
    /// The name that is certified; that of the public area if there is none.
    var name: [UInt8]?
    var behind: [UInt8] = []
    var signature: CBORValue?

    init(_ credential: TestCredential = TestCredential()) {
        self.credential = credential
        publicArea = Self.ellipticCurve(credential.key.publicKey)
        extraData = Array(SHA256.hash(data: credential.signedBytes))
    }

    /// TPMS_ATTEST with TPMS_CERTIFY_INFO.
    var certInfo: [UInt8] {
        let name = name ?? Array(publicArea[2..<4]) + Array(SHA256.hash(data: publicArea))
        return magic + type + Self.sized([1, 2, 3]) + Self.sized(extraData) + Array(repeating: 0x11, count: 17 + 8)
            + Self.sized(name) + Self.sized([]) + behind
    }

    func input() throws -> AttestationInput {
        let certificate = try TestAuthority()
            .issue(recipe, to: certificateKey ?? Certificate.PublicKey(attestationKey.publicKey))
        return try credential.input(
            "tpm",
            [
                "ver": .text(version), "alg": algorithm, "certInfo": .bytes(certInfo), "pubArea": .bytes(publicArea),
                "sig": try signature ?? attestationKey.sign(certInfo), "x5c": .array([.bytes(try certificate.der())]),
            ]
        )
    }

    /// TPMT_PUBLIC of a key on P-256 that signs, with SHA-256 for its name unless another is given.
    static func ellipticCurve(
        _ key: P256.Signing.PublicKey,
        nameAlgorithm: UInt8 = 0x0B,
        curve: UInt8 = 0x03
    ) -> [UInt8] {
        let point = Array(key.rawRepresentation)
        return [0x00, 0x23, 0x00, nameAlgorithm, 0x00, 0x04, 0x00, 0x72] + sized([9, 9])
            // No symmetric algorithm, ECDSA with SHA-256, the curve, no key derivation.
            + [0x00, 0x10, 0x00, 0x18, 0x00, 0x0B, 0x00, curve, 0x00, 0x10] + sized(Array(point[..<32]))
            + sized(Array(point[32...]))
    }

    /// TPMT_PUBLIC of an RSA key.
    static func rsa(modulus: [UInt8], exponent: [UInt8] = [0, 0, 0, 0]) -> [UInt8] {
        let bits = modulus.count * 8
        return [0x00, 0x01, 0x00, 0x0B, 0x00, 0x04, 0x00, 0x72] + sized([])
            // AES-128 in CFB, RSASSA with SHA-256.
            + [0x00, 0x06, 0x00, 0x80, 0x00, 0x43, 0x00, 0x14, 0x00, 0x0B, UInt8(bits >> 8), UInt8(bits & 0xFF)]
            + exponent + sized(modulus)
    }

    static func sized(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }
}

extension CertificateRecipe {
    /// A certificate as the attestation keys of TPMs have it.
    static func tpm() -> CertificateRecipe {
        CertificateRecipe(
            subject: DistinguishedName(),
            extensions: [
                .test(BasicConstraints.notCertificateAuthority), .test([TPMCertificate.attestationKeyUsage]),
                .test([GeneralName.directoryName(.tpm())]),
            ]
        )
    }

    /// With another extension in the place of the one of that kind, or with none.
    func replacing(_ identifier: ASN1ObjectIdentifier, by other: Certificate.Extension?) -> CertificateRecipe {
        var recipe = self
        recipe.extensions = extensions.filter { $0.oid != identifier } + [other].compactMap { $0 }
        return recipe
    }
}

extension DistinguishedName {
    /// Manufacturer, model and version of a TPM, with other texts for some and none for others.
    static func tpm(_ changes: [ASN1ObjectIdentifier: [String]] = [:]) -> DistinguishedName {
        let usual: [(ASN1ObjectIdentifier, String)] = [
            ("2.23.133.2.1", "id:4E544300"), ("2.23.133.2.2", "Example TPM"), ("2.23.133.2.3", "id:13"),
        ]
        let attributes = usual.flatMap { type, text in
            (changes[type] ?? [text]).map { RelativeDistinguishedName.Attribute(type: type, utf8String: $0) }
        }
        return DistinguishedName([RelativeDistinguishedName(attributes)])
    }
}
