internal import X509

/// Attestation by Android's keystore (WebAuthn L3 §8.4).
package struct AndroidKeyFormat: AttestationFormat {
    /// The accepted keys.
    package enum Keys: String, Sendable, CaseIterable {
        /// Only keys in the trusted execution environment or a secure element, judged by what that hardware enforces.
        case hardware
        /// Also keys in software, and keys without a stated origin or purpose.
        ///
        /// The example in WebAuthn is such a key.
        case any
    }

    package let identifier = "android-key"
    private let keys: Keys

    package init(_ keys: Keys) { self.keys = keys }

    package func verify(_ input: AttestationInput) throws(AttestationError) -> AttestationResult {
        let members = try AttestationMembers(input.statement.members, exactly: ["alg", "sig", "x5c"])
        let path = try members.certificates()
        let key = path.key
        try key.check(try members.bytes("sig"), over: input.signedBytes, try members.algorithm())
        guard key.matches(input.publicKey) else { throw .publicKeyMismatch }
        let description = try Self.description(path.leaf)
        guard description.challenge == input.clientDataHash else { throw .androidChallenge }
        try check(description)
        // The AAGUID is not trusted: the credential's own key signed it, and any app that uses the keystore can choose
        // it.
        return AttestationResult(.basic, trustPath: path.certificates, model: .claimed(input.credential.aaguid))
    }

    private static func description(_ certificate: Certificate) throws(AttestationError) -> AndroidKeyDescription {
        guard let found = certificate.extensions[oid: AndroidKeyDescription.identifier],
            let description = AndroidKeyDescription(found.value)
        else { throw .androidKeyDescription }
        return description
    }

    private func check(_ key: AndroidKeyDescription) throws(AttestationError) {
        // A key that every app may use is not scoped to the RP ID.
        guard !key.softwareEnforced.allApplications, !key.hardwareEnforced.allApplications else {
            throw .androidAllApplications
        }
        switch keys {
        case .hardware:
            guard AndroidKeyDescription.hardwareLevels.contains(key.securityLevel) else { throw .androidSecurityLevel }
            guard key.hardwareEnforced.origin == Self.generated else { throw .androidOrigin }
            guard key.hardwareEnforced.purposes == [Self.sign] else { throw .androidPurpose }
        case .any:
            let lists = [key.hardwareEnforced, key.softwareEnforced]
            guard lists.compactMap(\.origin).allSatisfy({ $0 == Self.generated }) else { throw .androidOrigin }
            let purposes = lists.compactMap(\.purposes)
            guard purposes.isEmpty || purposes.contains(where: { $0.contains(Self.sign) }) else {
                throw .androidPurpose
            }
        }
    }

    /// `KM_ORIGIN_GENERATED`.
    private static let generated = 0
    /// `KM_PURPOSE_SIGN`.
    private static let sign = 2
}
