import Crypto
import Foundation
import Kernel
import SwiftASN1
import X509

/// Somebody who makes certificates, with one of its own.
struct TestAuthority: Sendable {
    let key: Certificate.PrivateKey
    let certificate: Certificate

    /// A root that signs itself.
    init(_ recipe: CertificateRecipe = .authority("Example Root"), key: Certificate.PrivateKey = .p256()) throws {
        self.key = key
        certificate = try recipe.certificate(of: key.publicKey, issuer: recipe.subject, signedBy: key)
    }

    private init(key: Certificate.PrivateKey, certificate: Certificate) {
        self.key = key
        self.certificate = certificate
    }

    func issue(_ recipe: CertificateRecipe, to key: Certificate.PublicKey) throws -> Certificate {
        try recipe.certificate(of: key, issuer: certificate.subject, signedBy: self.key)
    }

    /// An authority under this one.
    func intermediate(
        _ recipe: CertificateRecipe = .authority("Example Intermediate"),
        key: Certificate.PrivateKey = .p256()
    ) throws -> TestAuthority {
        TestAuthority(key: key, certificate: try issue(recipe, to: key.publicKey))
    }
}

/// The parts of a certificate.
struct CertificateRecipe: Sendable {
    var version = Certificate.Version.v3
    var subject: DistinguishedName
    var notBefore = Instant.test("2020-01-01")
    var notAfter = Instant.test("2040-01-01")
    var algorithm: Certificate.SignatureAlgorithm?
    var extensions: [Certificate.Extension]

    func certificate(
        of key: Certificate.PublicKey,
        issuer: DistinguishedName,
        signedBy issuerKey: Certificate.PrivateKey
    ) throws -> Certificate {
        let made = try Certificate(
            version: version,
            serialNumber: Certificate.SerialNumber(4711),
            publicKey: key,
            notValidBefore: notBefore.date,
            notValidAfter: notAfter.date,
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: algorithm ?? issuerKey.usual,
            extensions: try Certificate.Extensions(extensions),
            issuerPrivateKey: issuerKey
        )
        // As a server meets it: read from its bytes.
        return try Certificate(derEncoded: made.der())
    }

    static func authority(_ name: String, maxPathLength: Int? = nil) -> CertificateRecipe {
        CertificateRecipe(
            subject: .test(commonName: name),
            extensions: [
                .test(BasicConstraints.isCertificateAuthority(maxPathLength: maxPathLength)),
                .test(KeyUsage(keyCertSign: true, cRLSign: true)),
            ]
        )
    }

    /// A certificate as packed attestations have it.
    static func packed() -> CertificateRecipe {
        CertificateRecipe(subject: .attestation(), extensions: [.test(BasicConstraints.notCertificateAuthority)])
    }

    func adding(_ more: Certificate.Extension) -> CertificateRecipe {
        var recipe = self
        recipe.extensions.append(more)
        return recipe
    }
}

extension Certificate {
    func der() throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(self)
        return serializer.serializedBytes
    }
}

extension Certificate.PrivateKey {
    static func p256() -> Certificate.PrivateKey { Certificate.PrivateKey(P256.Signing.PrivateKey()) }

    /// The algorithm that such a key signs certificates with.
    var usual: Certificate.SignatureAlgorithm {
        publicKey.description.hasPrefix("RSA") ? .sha256WithRSAEncryption : .ecdsaWithSHA256
    }
}

extension Certificate.Extension {
    static func test(_ constraints: BasicConstraints) -> Certificate.Extension {
        made { try Certificate.Extension(constraints, critical: true) }
    }

    static func test(_ usage: KeyUsage) -> Certificate.Extension {
        made { try Certificate.Extension(usage, critical: true) }
    }

    static func test(_ usages: [ASN1ObjectIdentifier]) -> Certificate.Extension {
        made {
            try Certificate.Extension(ExtendedKeyUsage(usages.map { .init(oid: $0) }), critical: false)
        }
    }

    static func test(_ names: [GeneralName], critical: Bool = true) -> Certificate.Extension {
        made { try Certificate.Extension(SubjectAlternativeNames(names), critical: critical) }
    }

    static func test(
        _ identifier: ASN1ObjectIdentifier,
        _ value: [UInt8],
        critical: Bool = false
    )
        -> Certificate.Extension
    {
        Certificate.Extension(oid: identifier, critical: critical, value: value[...])
    }

    private static func made(_ make: () throws -> Certificate.Extension) -> Certificate.Extension {
        do { return try make() } catch { fatalError("a test's extension: \(error)") }
    }
}

extension DistinguishedName {
    static func test(commonName: String) -> DistinguishedName {
        DistinguishedName([RelativeDistinguishedName(.init(type: .RDNAttributeType.commonName, utf8String: commonName))]
        )
    }

    /// The subject that packed attestations have to have, with other texts for some attributes and none for others.
    static func attestation(_ changes: [ASN1ObjectIdentifier: [String]] = [:]) -> DistinguishedName {
        let usual: [(ASN1ObjectIdentifier, String)] = [
            (.RDNAttributeType.countryName, "SE"),
            (.RDNAttributeType.organizationName, "Example"),
            (.RDNAttributeType.organizationalUnitName, "Authenticator Attestation"),
            (.RDNAttributeType.commonName, "Example Key"),
        ]
        return DistinguishedName(
            usual.flatMap { type, text in
                (changes[type] ?? [text]).map { RelativeDistinguishedName(.init(type: type, utf8String: $0)) }
            }
        )
    }
}

extension Instant {
    /// The beginning of a day.
    static func test(_ day: String) -> Instant {
        guard let date = try? Date(day, strategy: .iso8601.year().month().day()) else { fatalError(day) }
        return Instant(seconds: Int64(date.timeIntervalSince1970))
    }

    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
