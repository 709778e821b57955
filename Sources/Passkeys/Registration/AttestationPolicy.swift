/// What is asked of authenticators about their origin (WebAuthn L3 §5.4.7), and what is made of the answer.
package struct AttestationPolicy: Sendable {
    package let conveyance: AttestationConveyance
    /// Where certificates have to end; not asked for ``AttestationConveyance/none``.
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
    /// None is wanted and nobody's word is asked about one that comes.
    case none
    /// One is looked at and its trust recorded; it may be missing, or of a maker whom nobody here knows.
    ///
    /// One of a model of which the metadata reports something bad is refused.
    case indirect
    /// A trusted one is required.
    case direct
    /// A trusted one is required, and may name the very device: only here is its number taken (§8.2.2).
    case enterprise

    /// Whether a credential without a trusted attestation is refused.
    package var requiresTrust: Bool {
        switch self {
        case .none, .indirect: false
        case .direct, .enterprise: true
        }
    }
}
