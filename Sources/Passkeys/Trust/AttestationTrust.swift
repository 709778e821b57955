package import Kernel
internal import SwiftASN1
package import X509

/// The trust in attestations: through the metadata for models that it lists, through the operator's anchors for others.
package struct AttestationTrust: AttestationAnchors {
    private let anchors: TrustAnchors
    private let metadata: MetadataBlob?
    private let grace: Duration

    /// Creates the trust from the metadata and from the operator's `anchors` for models that the metadata doesn't list.
    ///
    /// The metadata is used for `grace` after its next update is due. Then the models that it lists are refused,
    /// because they may have been revoked since.
    package init(anchors: TrustAnchors, metadata: MetadataBlob? = nil, grace: Duration = .seconds(14 * 86_400)) {
        self.anchors = anchors
        self.metadata = metadata
        self.grace = grace
    }

    /// Returns the chain of a trusted attestation.
    ///
    /// A model in the metadata is trusted only through the anchors of its entry. If the operator's anchors counted too,
    /// one vendor's certificate could confirm another vendor's models. A status report about a key applies to every
    /// chain with that key, even if the reported certificate was not sent.
    @discardableResult
    package func assess(
        _ path: [Certificate],
        format: String,
        model: AttestedModel,
        at now: Instant
    ) async throws(TrustError) -> [Certificate] {
        let named = model.aaguid.flatMap { metadata?.entries(of: $0) } ?? []
        // These entries don't depend on the AAGUID, which the client can choose, but on the keys that signed.
        let keyed = metadata.map { metadata in path.signedInTurn.flatMap { metadata.entries(keyOf: $0) } } ?? []
        let known = (model.aaguid?.isZero ?? true) ? keyed : named
        try check(named + keyed, path, at: now)
        try check(known, types: Self.certified)
        let anchors = known.isEmpty ? operators(for: model, format) : known.flatMap(\.anchors)
        let checked: [ASN1ObjectIdentifier] = format == "tpm" ? Self.checkedOfTPM : []
        let chain = try await ChainValidation(anchors: anchors, checked: checked, now: now).chain(of: path)
        // The chain includes the anchor, which the client may not have sent.
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
    /// A client can invent an unproven AAGUID to avoid the metadata's entry of the real model. For such a model,
    /// anchors that the metadata lists too are left out.
    private func operators(for model: AttestedModel, _ format: String) -> [Certificate] {
        let own = anchors.certificates(for: format)
        guard let metadata, !model.isProven else { return own }
        return own.filter { !metadata.anchorKeys.contains($0.publicKey) }
    }

    private func check(_ entries: [MetadataEntry], _ path: [Certificate], at now: Instant) throws(TrustError) {
        guard let metadata, !entries.isEmpty else { return }
        // Status reports stay valid, however old the metadata is.
        for entry in entries {
            if let status = entry.undesiredStatus(of: path, at: now) { throw .status(status) }
        }
        guard now < metadata.nextUpdate + grace else { throw .metadataOverdue }
    }

    private func check(_ entries: [MetadataEntry], types: Set<String>) throws(TrustError) {
        guard entries.allSatisfy({ !$0.attestationTypes.isDisjoint(with: types) }) else { throw .attestationType }
    }

    /// The attestation types as the metadata names them (FIDO Registry §3.6.3).
    private static let certified: Set<String> = ["basic_full", "attca", "anonca"]
    private static let own: Set<String> = ["basic_surrogate"]

    /// The extensions that ``TPMCertificate`` checks, so that they may be critical.
    private static let checkedOfTPM: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage,
    ]
}
