internal import SwiftASN1
internal import X509

/// The requirements of a packed attestation on its certificate (WebAuthn L3 §8.2.1).
enum PackedCertificate {
    private static let unit = "Authenticator Attestation"

    static func check(_ certificate: Certificate) throws(AttestationError) {
        guard certificate.version == .v3 else { throw .certificateVersion }
        let subject = certificate.subject
        guard let country = subject.text(.RDNAttributeType.countryName), isCountry(country) else {
            throw .subjectCountry
        }
        guard subject.text(.RDNAttributeType.organizationName) != nil else { throw .subjectOrganization }
        guard subject.text(.RDNAttributeType.organizationalUnitName) == unit else { throw .subjectUnit }
        guard subject.text(.RDNAttributeType.commonName) != nil else { throw .subjectCommonName }
        guard certificate.isEndEntity else { throw .certificateIsAuthority }
    }

    /// Whether the text has the form of an ISO 3166 alpha-2 code; the list of current codes is not security-relevant.
    private static func isCountry(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
