internal import SwiftASN1
internal import X509

/// The serial number of a device in its enterprise attestation certificate: `id-fido-gen-ce-sernum` (WebAuthn L3
/// §8.2.2).
enum SerialNumberExtension {
    static let identifier: ASN1ObjectIdentifier = "1.3.6.1.4.1.45724.1.1.2"

    /// The most bytes of a serial number, more than any maker needs: the number is stored with the credential.
    static let maximumLength = 64

    /// Returns the device's serial number; `nil` without the extension, as in a certificate that many devices share.
    static func serialNumber(of certificate: Certificate) throws(AttestationError) -> [UInt8]? {
        guard let found = certificate.extensions[oid: identifier] else { return nil }
        guard !found.critical, let octets = try? ASN1OctetString(derEncoded: found.value),
            (1...maximumLength).contains(octets.bytes.count)
        else { throw .serialNumberExtension }
        return Array(octets.bytes)
    }
}
