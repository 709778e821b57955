package import Kernel
package import X509

/// The input of an attestation format's verification procedure (WebAuthn L3 §6.5.2).
package struct AttestationInput: Sendable {
    package let statement: AttestationStatement
    package let authenticatorData: AuthenticatorData
    /// The new credential in the authenticator data.
    package let credential: AttestedCredential
    /// The credential's public key, checked.
    package let publicKey: COSEKey
    /// SHA-256 of the client data.
    package let clientDataHash: [UInt8]
    package let now: Instant
}

/// The strength of an attestation (WebAuthn L3 §6.5.3).
package enum AttestationType: String, Sendable, Equatable, CaseIterable {
    case none
    case selfAttestation = "self"
    /// Basic or by an attestation CA: a relying party can't tell them apart.
    case basic
    case anonymizationCA = "anonca"

    /// Whether the statement has certificates, which can be trusted or not.
    package var isCertified: Bool {
        switch self {
        case .none, .selfAttestation: false
        case .basic, .anonymizationCA: true
        }
    }
}

/// The result of a valid statement: its type and its certificates, the leaf first.
package struct AttestationResult: Sendable, Equatable {
    package let type: AttestationType
    /// Empty for ``AttestationType/none`` and ``AttestationType/selfAttestation``.
    package let trustPath: [Certificate]
    package let model: AttestedModel
    /// The serial number of the device, in enterprise attestations only (WebAuthn L3 §8.2.2).
    package let serialNumber: [UInt8]?

    package init(
        _ type: AttestationType,
        trustPath: [Certificate] = [],
        model: AttestedModel = .unknown,
        serialNumber: [UInt8]? = nil
    ) {
        self.type = type
        self.trustPath = trustPath
        self.model = model
        self.serialNumber = serialNumber
    }
}

/// The authenticator's model as the attestation names it, and whether that is proven.
///
/// The AAGUID of the authenticator data is the client's claim, unless the attestation's own key has signed it.
package enum AttestedModel: Sendable, Equatable {
    /// The attestation key signed that AAGUID, or its certificate names it.
    case proven(AAGUID)
    /// Software that drives the authenticator may have written that AAGUID.
    case claimed(AAGUID)
    /// The signed data names no model, as with U2F.
    case unknown

    package var aaguid: AAGUID? {
        switch self {
        case .proven(let aaguid), .claimed(let aaguid): aaguid
        case .unknown: nil
        }
    }

    package var isProven: Bool {
        switch self {
        case .proven: true
        case .claimed, .unknown: false
        }
    }
}

/// The verification procedure of one attestation format (WebAuthn L3 §8).
package protocol AttestationFormat: Sendable {
    /// The registered identifier of the format.
    var identifier: String { get }

    /// Verifies the statement, but not whether its certificates are trusted.
    func verify(_ input: AttestationInput) throws(AttestationError) -> AttestationResult
}

/// The trust anchors for attestations (WebAuthn L3 §7.1 steps 23 and 24).
package protocol AttestationAnchors: Sendable {
    /// Returns the certificates from the leaf of `path` to a trust anchor for the model and the format at `now`.
    ///
    /// - Throws: The reason why the certificates are not trusted.
    @discardableResult
    func assess(
        _ path: [Certificate],
        format: String,
        model: AttestedModel,
        at now: Instant
    ) async throws(TrustError) -> [Certificate]

    /// Checks that a credential of the claimed model `aaguid` may attest itself, which does not prove its model.
    ///
    /// - Throws: The reason why the credential may not.
    func assessSelf(aaguid: AAGUID, at now: Instant) throws(TrustError)
}
