internal import SwiftASN1
internal import X509

/// The AAGUID in an attestation certificate: `id-fido-gen-ce-aaguid` (WebAuthn L3 §8.2.1).
enum ModelExtension {
    static let identifier: ASN1ObjectIdentifier = "1.3.6.1.4.1.45724.1.1.4"

    /// Returns the AAGUID of the model that the certificate is for; `nil` without the extension.
    static func model(of certificate: Certificate) throws(AttestationError) -> AAGUID? {
        guard let found = certificate.extensions[oid: identifier] else { return nil }
        guard !found.critical else { throw .aaguidExtensionCritical }
        guard let octets = try? ASN1OctetString(derEncoded: found.value), let model = AAGUID(Array(octets.bytes)) else {
            throw .aaguidExtensionMalformed
        }
        return model
    }

    /// Returns whether the certificate names an AAGUID, and throws if that is not `aaguid`.
    @discardableResult
    static func check(_ certificate: Certificate, _ aaguid: AAGUID) throws(AttestationError) -> Bool {
        guard let model = try model(of: certificate) else { return false }
        guard model == aaguid else { throw .aaguidMismatch }
        return true
    }
}
