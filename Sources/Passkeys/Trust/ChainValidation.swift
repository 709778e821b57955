internal import FoundationEssentials
internal import Kernel
internal import SwiftASN1
@_spi(FixedExpiryValidationTime) internal import X509

/// Checks that certificates lead to a trust anchor (RFC 5280 §6.1) at a given time.
struct ChainValidation {
    private let anchors: [Certificate]
    private let rules: ChainRules

    /// `checked`: the extensions of the leaf that the caller checks, so that they may be critical there.
    init(anchors: [Certificate], checked: [ASN1ObjectIdentifier] = [], now: Instant) {
        self.anchors = anchors
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        rules = ChainRules(leaf: CriticalExtensions(checked: checked), date: date)
    }

    /// Returns the certificates from the leaf of `path` to the anchor, each signed by the next and checked.
    ///
    /// `path` has the leaf first, then each certificate's issuer. Certificates behind an anchor's own are ignored. A
    /// leaf that is itself an anchor is trusted without a chain: metadata may list a single certificate.
    @discardableResult
    func chain(of path: [Certificate]) async throws(TrustError) -> [Certificate] {
        guard let leaf = path.first else { throw .untrusted }
        guard rules.coverCriticalExtensions(of: path) else { throw .criticalExtension }
        if anchors.contains(leaf) {
            if let fault = rules.faultOfPinned(leaf) { throw fault }
            return [leaf]
        }
        guard zip(path, path.dropFirst()).allSatisfy({ $0.issuer == $1.subject }) else { throw .order }
        let issuers = Array(path.dropFirst())
        // With unique names there is only one path. Five certificates of one name would cause hundreds of signature
        // checks.
        guard Set(issuers.map(\.subject)).count == issuers.count else { throw .order }
        // No signature is checked if no certificate names an anchor as its issuer.
        let names = Set(anchors.map(\.subject))
        guard path.contains(where: { names.contains($0.issuer) }) else { throw .untrusted }
        return try await validated(leaf, issuers)
    }

    private func validated(_ leaf: Certificate, _ issuers: [Certificate]) async throws(TrustError) -> [Certificate] {
        var verifier = Verifier(rootCertificates: CertificateStore(anchors)) {
            RFC5280Policy(fixedExpiryValidationTime: rules.date)
            rules
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore(issuers)) {
        case .validCertificate(let chain):
            return Array(chain)
        case .couldNotValidate(let failures):
            // There is no chain: no anchor signed the last certificate, or a certificate was not signed by the next.
            guard let failure = failures.first else { throw .untrusted }
            throw rules.fault(in: Array(failure.chain)) ?? .constraints
        }
    }
}

extension [Certificate] {
    /// Returns the certificates from the leaf on, while each is signed with the key of the next.
    ///
    /// A client can append any certificates: only the leaf's key, and the keys that signed in turn, are proven.
    var signedInTurn: [Certificate] {
        var signed = Array(prefix(1))
        for (certificate, issuer) in zip(self, dropFirst()) {
            guard issuer.hasSigned(certificate) else { break }
            signed.append(issuer)
        }
        return signed
    }
}

extension Certificate {
    /// Whether `other` names this certificate as its issuer and was signed by its key.
    func hasSigned(_ other: Certificate) -> Bool {
        other.issuer == subject && publicKey.isValidSignature(other.signature, for: other)
    }
}
