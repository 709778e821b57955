import Crypto
import Foundation
import SwiftASN1
import X509

/// A maker of authenticators, who has a root and a certificate of one model (WebAuthn L3 §8.2.1).
struct Maker {
    static let model: [UInt8] = Array(1...16)

    /// In DER.
    let root: [UInt8]
    /// The model's, in DER.
    let certificate: [UInt8]
    /// The key of the model's certificate.
    let key: P256.Signing.PrivateKey

    init() throws {
        let rootKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let rootName = try DistinguishedName { CommonName("Example Root") }
        key = P256.Signing.PrivateKey()
        root = try Self.issue(
            rootName,
            rootKey.publicKey,
            by: (rootName, rootKey),
            try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
            }
        )
        let name = try DistinguishedName {
            CountryName("SE")
            OrganizationName("Example")
            OrganizationalUnitName("Authenticator Attestation")
            CommonName("Example Key")
        }
        var extensions = try Certificate.Extensions { Critical(BasicConstraints.notCertificateAuthority) }
        // The AAGUID, as an OCTET STRING in the extension's own.
        try extensions.append(
            .init(oid: "1.3.6.1.4.1.45724.1.1.4", critical: false, value: ([0x04, 0x10] + Self.model)[...])
        )
        certificate = try Self.issue(name, Certificate.PublicKey(key.publicKey), by: (rootName, rootKey), extensions)
    }

    private static func issue(
        _ subject: DistinguishedName,
        _ key: Certificate.PublicKey,
        by issuer: (name: DistinguishedName, key: Certificate.PrivateKey),
        _ extensions: Certificate.Extensions
    ) throws -> [UInt8] {
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key,
            notValidBefore: Date.now.addingTimeInterval(-86_400),
            notValidAfter: Date.now.addingTimeInterval(86_400),
            issuer: issuer.name,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions,
            issuerPrivateKey: issuer.key
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
