/// The attestation that authenticators are asked for (WebAuthn L3 §5.4.7), and the treatment of the answer.
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

/// The preference of the options (WebAuthn L3 §5.4.7).
///
/// A statement that doesn't hold is refused under each of them; they differ in whether there must be one that an anchor
/// vouches for.
package enum AttestationConveyance: String, Sendable, Codable, CaseIterable {
    /// Attestation is not requested, and one that comes is not checked for trust.
    case none
    /// Attestation is checked and its trust recorded; it may be missing, or of an unknown maker.
    ///
    /// A model with a bad report in the metadata is refused.
    case indirect
    /// A trusted one is required.
    case direct
    /// A trusted attestation is required, and may name the device; only here is its serial number stored (§8.2.2).
    case enterprise

    /// Whether a credential without a trusted attestation is refused.
    package var requiresTrust: Bool {
        switch self {
        case .none, .indirect: false
        case .direct, .enterprise: true
        }
    }
}
