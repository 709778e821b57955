internal import SwiftASN1
internal import X509

/// The requirements of a TPM's attestation on the certificate of its attestation key (WebAuthn L3 §8.3.1).
enum TPMCertificate {
    /// `tcg-kp-AIKCertificate`.
    static let attestationKeyUsage: ASN1ObjectIdentifier = "2.23.133.8.3"

    static func check(_ certificate: Certificate) throws(AttestationError) {
        guard certificate.version == .v3 else { throw .certificateVersion }
        guard certificate.subject.isEmpty else { throw .tpmSubjectNotEmpty }
        guard namesTPM(certificate) else { throw .tpmAlternativeName }
        guard let usages = try? certificate.extensions.extendedKeyUsage,
            usages.contains(ExtendedKeyUsage.Usage(oid: attestationKeyUsage))
        else { throw .tpmKeyUsage }
        guard certificate.isEndEntity else { throw .certificateIsAuthority }
    }

    /// Whether the alternative names hold exactly one directory name, with manufacturer, model and version (TCG EK
    /// Credential Profile §3.2.9).
    ///
    /// The manufacturer's number is not looked up in the TCG's registry: the trust anchors decide which makers are
    /// trusted.
    private static func namesTPM(_ certificate: Certificate) -> Bool {
        guard let names = try? certificate.extensions.subjectAlternativeNames else { return false }
        let directoryNames = names.compactMap { name -> DistinguishedName? in
            if case .directoryName(let name) = name { name } else { nil }
        }
        guard directoryNames.count == 1, let name = directoryNames.first else { return false }
        return name.text(Attribute.manufacturer).map(isManufacturer) == true && name.text(Attribute.model) != nil
            && name.text(Attribute.version) != nil
    }

    /// Whether the text is `id:` and eight hexadecimal digits.
    private static func isManufacturer(_ text: String) -> Bool {
        text.hasPrefix("id:") && text.utf8.count == 11 && text.dropFirst(3).allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// The attributes of a TPM (TCG EK Credential Profile §3.1.2).
    private enum Attribute {
        static let manufacturer: ASN1ObjectIdentifier = "2.23.133.2.1"
        static let model: ASN1ObjectIdentifier = "2.23.133.2.2"
        static let version: ASN1ObjectIdentifier = "2.23.133.2.3"
    }
}
