internal import Crypto
internal import SwiftASN1
internal import X509

/// Attestation by Apple's anonymization CA, which makes a certificate for every credential (WebAuthn L3 §8.8).
package struct AppleFormat: AttestationFormat {
    package let identifier = "apple"

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationError) -> AttestationResult {
        let path = try AttestationMembers(input.statement.members, exactly: ["x5c"]).certificates()
        guard let value = path.leaf.extensions[oid: Self.nonceExtension]?.value, let nonce = Self.nonce(value) else {
            throw .appleNonceMissing
        }
        guard nonce == Array(SHA256.hash(data: input.signedBytes)) else { throw .appleNonce }
        guard path.key.matches(input.publicKey) else { throw .publicKeyMismatch }
        return AttestationResult(
            .anonymizationCA,
            trustPath: path.certificates,
            model: .claimed(input.credential.aaguid)
        )
    }

    static let nonceExtension: ASN1ObjectIdentifier = "1.2.840.113635.100.8.2"

    /// Reads SEQUENCE { [1] EXPLICIT OCTET STRING }; `nil` for any other structure.
    static func nonce(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        guard let node = try? DER.parse(value) else { return nil }
        return try? DER.sequence(node, identifier: .sequence) { nodes in
            try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
                Array(try ASN1OctetString(derEncoded: node).bytes)
            }
        }
    }
}
