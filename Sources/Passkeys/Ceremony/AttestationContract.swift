package import Kernel
package import X509

/// What the verification procedure of an attestation format is given (WebAuthn L3 §6.5.3).
package struct AttestationInput: Sendable {
    package let statement: AttestationStatement
    package let authenticatorData: AuthenticatorData
    /// That of the authenticator data.
    package let credential: AttestedCredential
    /// The credential's public key, checked.
    package let publicKey: COSEKey
    /// SHA-256 of the client data.
    package let clientDataHash: [UInt8]
    package let now: Instant

    package init(
        statement: AttestationStatement,
        authenticatorData: AuthenticatorData,
        credential: AttestedCredential,
        publicKey: COSEKey,
        clientDataHash: [UInt8],
        now: Instant
    ) {
        self.statement = statement
        self.authenticatorData = authenticatorData
        self.credential = credential
        self.publicKey = publicKey
        self.clientDataHash = clientDataHash
        self.now = now
    }
}

/// How much an attestation says (WebAuthn L3 §6.5.3).
package enum AttestationType: String, Sendable, Equatable, CaseIterable {
    case none
    case selfAttestation = "self"
    /// Basic or by an attestation CA: a relying party can't tell them apart.
    case basic
    case anonymizationCA = "anonca"
}

/// What a statement that holds gives: its type, and the certificates behind it, the leaf first.
package struct AttestationResult: Sendable, Equatable {
    package let type: AttestationType
    /// Empty for ``AttestationType/none`` and ``AttestationType/selfAttestation``.
    package let trustPath: [Certificate]

    package init(_ type: AttestationType, trustPath: [Certificate] = []) {
        self.type = type
        self.trustPath = trustPath
    }
}

/// The verification procedure of one attestation format (WebAuthn L3 §8).
package protocol AttestationFormat: Sendable {
    /// Its registered identifier.
    var identifier: String { get }

    /// Whether the statement is a correct one; whether anybody should trust its certificates is another question.
    func verify(_ input: AttestationInput) throws(AttestationFault) -> AttestationResult
}

/// The trust anchors for attestations (WebAuthn L3 §7.1 step 23).
package protocol AttestationAnchors: Sendable {
    /// Whether `path`, the leaf first, ends at an anchor for authenticators of that model and format, at that time.
    func anchors(_ path: [Certificate], format: String, aaguid: AAGUID, at now: Instant) async -> Bool
}
