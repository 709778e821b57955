package import Kernel
internal import SwiftASN1
package import X509

/// Whom attestations are believed: the operator's anchors, and the metadata where it knows the model.
package struct AttestationTrust: AttestationAnchors {
    private let anchors: TrustAnchors
    private let metadata: MetadataBlob?
    private let grace: Duration

    /// The operator's `anchors`, for models that the metadata doesn't know.
    ///
    /// Metadata is relied on for the time of `grace` after it should have been replaced. Then the models that it knows are
    /// refused, because it doesn't know which were revoked since.
    package init(anchors: TrustAnchors, metadata: MetadataBlob? = nil, grace: Duration = .seconds(14 * 86_400)) {
        self.anchors = anchors
        self.metadata = metadata
        self.grace = grace
    }

    package func anchors(
        _ path: [Certificate],
        format: String,
        aaguid: AAGUID,
        at now: Instant
    ) async -> Bool {
        (try? await assess(path, format: format, aaguid: aaguid, at: now)) != nil
    }

    /// The anchor that `path` ends at, the leaf first (WebAuthn L3 §7.1 steps 23 and 24).
    ///
    /// A model that the metadata knows is trusted by the anchors that stand there alone: with the operator's beside them,
    /// the certificate of one vendor could speak for the models of another.
    package func assess(
        _ path: [Certificate],
        format: String,
        aaguid: AAGUID,
        at now: Instant
    ) async throws(TrustFault) -> Certificate {
        let entries = metadata?.entries(aaguid, path: path) ?? []
        try check(entries, path, types: Self.certified, at: now)
        let known = entries.isEmpty ? anchors.certificates : entries.flatMap(\.anchors)
        let checked: [ASN1ObjectIdentifier] = format == "tpm" ? Self.checkedOfTPM : []
        return try await ChainValidation(anchors: known, checked: checked, now: now).anchor(of: path)
    }

    /// Whether a credential of that model may attest itself: one that has certificates wouldn't.
    package func assessSelf(aaguid: AAGUID, at now: Instant) throws(TrustFault) {
        try check(metadata?.entries(aaguid, path: []) ?? [], [], types: Self.own, at: now)
    }

    private func check(
        _ entries: [MetadataEntry],
        _ path: [Certificate],
        types: Set<String>,
        at now: Instant
    ) throws(TrustFault) {
        guard let metadata, !entries.isEmpty else { return }
        guard now < metadata.nextUpdate + grace else { throw .metadataOverdue }
        for entry in entries {
            if let status = entry.undesiredStatus(of: path, at: now) { throw .status(status) }
            guard !entry.attestationTypes.isDisjoint(with: types) else { throw .attestationType }
        }
    }

    /// The names of the metadata (FIDO Registry §3.6.3).
    private static let certified: Set<String> = ["basic_full", "attca", "anonca"]
    private static let own: Set<String> = ["basic_surrogate"]

    /// ``TPMCertificate`` looks at these.
    private static let checkedOfTPM: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage,
    ]
}
