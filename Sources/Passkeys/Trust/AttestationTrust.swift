package import Kernel
internal import SwiftASN1
package import X509

/// The trust in attestations: the operator's anchors, and the metadata for the models that it knows.
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

    /// Returns the chain of a trusted attestation.
    ///
    /// A model in the metadata is trusted by the anchors of its entry alone. With the operator's anchors beside them,
    /// one vendor's certificate could confirm the models of another. A report about a key counts for every chain with it, whether
    /// or not its certificate was sent.
    @discardableResult
    package func assess(
        _ path: [Certificate],
        format: String,
        model: AttestedModel,
        at now: Instant
    ) async throws(TrustError) -> [Certificate] {
        let named = model.aaguid.flatMap { metadata?.entries(of: $0) } ?? []
        // The AAGUID does not matter: the signing keys can't be chosen freely.
        let keyed = metadata.map { metadata in path.signedInTurn.flatMap { metadata.entries(keyOf: $0) } } ?? []
        let known = (model.aaguid?.isZero ?? true) ? keyed : named
        try check(named + keyed, path, at: now)
        try check(known, types: Self.certified)
        let anchors = known.isEmpty ? operators(for: model, format) : known.flatMap(\.anchors)
        let checked: [ASN1ObjectIdentifier] = format == "tpm" ? Self.checkedOfTPM : []
        let chain = try await ChainValidation(anchors: anchors, checked: checked, now: now).chain(of: path)
        // Once more with the anchor, which its sender may have left out.
        try check(named + keyed, chain, at: now)
        return chain
    }

    package func assessSelf(aaguid: AAGUID, at now: Instant) throws(TrustError) {
        let entries = metadata?.entries(of: aaguid) ?? []
        try check(entries, [], at: now)
        try check(entries, types: Self.own)
    }

    /// Returns the operator's anchors for a model that the metadata doesn't list.
    ///
    /// An AAGUID that is not proven can be invented, and an unlisted one would avoid the metadata's entry of the real model.
    /// For such a model an anchor that the metadata lists too is left out.
    private func operators(for model: AttestedModel, _ format: String) -> [Certificate] {
        let own = anchors.certificates(for: format)
        guard let metadata, !model.isProven else { return own }
        return own.filter { !metadata.anchorKeys.contains($0.publicKey) }
    }

    private func check(_ entries: [MetadataEntry], _ path: [Certificate], at now: Instant) throws(TrustError) {
        guard let metadata, !entries.isEmpty else { return }
        // Reports stay valid, however old the metadata is.
        for entry in entries {
            if let status = entry.undesiredStatus(of: path, at: now) { throw .status(status) }
        }
        guard now < metadata.nextUpdate + grace else { throw .metadataOverdue }
    }

    private func check(_ entries: [MetadataEntry], types: Set<String>) throws(TrustError) {
        guard entries.allSatisfy({ !$0.attestationTypes.isDisjoint(with: types) }) else { throw .attestationType }
    }

    /// The names of the metadata (FIDO Registry §3.6.3).
    private static let certified: Set<String> = ["basic_full", "attca", "anonca"]
    private static let own: Set<String> = ["basic_surrogate"]

    /// ``TPMCertificate`` looks at these.
    private static let checkedOfTPM: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage,
    ]
}
