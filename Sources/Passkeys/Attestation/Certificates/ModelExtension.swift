internal import SwiftASN1
internal import X509

/// The model in an attestation certificate: `id-fido-gen-ce-aaguid` (WebAuthn L3 §8.2.1).
enum ModelExtension {
    static let identifier: ASN1ObjectIdentifier = "1.3.6.1.4.1.45724.1.1.4"

    /// Whether the certificate is for that model, if it says for which.
    static func check(_ certificate: Certificate, _ aaguid: AAGUID) throws(AttestationFault) {
        guard let found = certificate.extensions[oid: identifier] else { return }
        guard !found.critical else { throw .aaguidExtensionCritical }
        guard let octets = try? ASN1OctetString(derEncoded: found.value), let model = AAGUID(Array(octets.bytes)) else {
            throw .aaguidExtensionMalformed
        }
        guard model == aaguid else { throw .aaguidMismatch }
    }
}
