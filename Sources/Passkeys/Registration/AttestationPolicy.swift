/// The attestation that authenticators are asked for (WebAuthn L3 §5.4.7), and how it is judged.
package struct AttestationPolicy: Sendable {
    package let conveyance: AttestationConveyance
    /// The trust anchors of certificates; unused for ``AttestationConveyance/none``.
    package let anchors: any AttestationAnchors
    /// The formats that are verified.
    package let formats: [any AttestationFormat]

    package init(
        _ conveyance: AttestationConveyance,
        anchors: any AttestationAnchors,
        formats: [any AttestationFormat] = AttestationFormats.all
    ) {
        self.conveyance = conveyance
        self.anchors = anchors
        self.formats = formats
    }
}

/// The preference in the options (WebAuthn L3 §5.4.7).
///
/// An invalid statement is always refused. The cases differ in whether a trust anchor must vouch for it.
package enum AttestationConveyance: String, Sendable, Codable, CaseIterable {
    /// Attestation is not requested, and a statement that is sent is not checked for trust.
    case none
    /// Attestation may be missing or from an unknown maker; its trust is checked and recorded.
    ///
    /// A model with an undesired status in the FIDO metadata is refused.
    case indirect
    /// A trusted attestation is required.
    case direct
    /// A trusted attestation is required, and may name the device: only then is its serial number stored (§8.2.2).
    case enterprise

    /// Whether a credential without a trusted attestation is refused.
    package var requiresTrust: Bool {
        switch self {
        case .none, .indirect: false
        case .direct, .enterprise: true
        }
    }
}
