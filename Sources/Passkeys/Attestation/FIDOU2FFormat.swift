internal import SwiftASN1
internal import X509

/// Attestation by a FIDO U2F security key, which is older than WebAuthn (WebAuthn L3 §8.6).
package struct FIDOU2FFormat: AttestationFormat {
    package let identifier = "fido-u2f"

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationError) -> AttestationResult {
        let members = try AttestationMembers(input.statement.members, exactly: ["sig", "x5c"])
        let path = try members.certificates()
        guard path.certificates.count == 1 else { throw .certificateCount }
        try Self.check(path.leaf)
        let key = path.key
        guard key.isP256, case .p256 = input.publicKey.material, let point = input.publicKey.point else {
            throw .u2fKey
        }
        let message =
            [0x00] + input.authenticatorData.rpIDHash + input.clientDataHash + input.credential.id.bytes + point
        try key.check(try members.bytes("sig"), over: message, .es256)
        return AttestationResult(
            .basic,
            trustPath: path.certificates,
            model: try Self.model(path, input.credential.aaguid)
        )
    }

    /// Refuses certificates of authorities and of other formats (§8.4.1, §8.8): the specification checks only the key.
    ///
    /// The key of an app in Android's keystore signs any bytes that the app chooses, including those of a U2F
    /// statement.
    private static func check(_ certificate: Certificate) throws(AttestationError) {
        let others = [AndroidKeyDescription.identifier, AppleFormat.nonceExtension]
        guard others.allSatisfy({ certificate.extensions[oid: $0] == nil }) else { throw .u2fCertificate }
        let isSilent = certificate.extensions[oid: .X509ExtensionID.basicConstraints] == nil
        guard isSilent || certificate.isEndEntity else { throw .u2fCertificate }
    }

    /// Returns the AAGUID in the certificate, since U2F does not sign one.
    ///
    /// Authenticators that also support WebAuthn name their AAGUID there, and send zeros in the authenticator data
    /// (§6.1.2).
    private static func model(_ path: CertificatePath, _ aaguid: AAGUID) throws(AttestationError) -> AttestedModel {
        guard let model = try ModelExtension.model(of: path.leaf) else { return .unknown }
        guard aaguid.isZero || aaguid == model else { throw .aaguidMismatch }
        return .proven(model)
    }
}
