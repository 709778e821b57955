internal import SwiftASN1
internal import X509

/// The extensions that may be critical because they are checked (RFC 5280 §4.2).
struct CriticalExtensions {
    /// The extensions that the X.509 library checks, and certificate policies.
    static let understood = CriticalExtensions(checked: [])

    let identifiers: [ASN1ObjectIdentifier]

    /// - Parameter checked: The further extensions that the caller has checked.
    init(checked: [ASN1ObjectIdentifier]) {
        identifiers =
            [
                .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
                CertificatePolicies.identifier,
            ] + checked
    }

    /// Whether every critical extension of the certificate is one of ``identifiers``.
    func coverAll(of certificate: Certificate) -> Bool {
        certificate.extensions.allSatisfy { found in
            guard found.critical else { return true }
            guard found.oid != CertificatePolicies.identifier else { return CertificatePolicies.areUnderstood(found) }
            return identifiers.contains(found.oid)
        }
    }
}
