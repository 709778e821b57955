internal import FoundationEssentials
internal import Kernel
internal import SwiftASN1
@_spi(FixedExpiryValidationTime) internal import X509

/// Whether certificates lead to a trust anchor (RFC 5280 §6.1) at a time that the caller gives.
struct ChainValidation {
    private let anchors: [Certificate]
    private let rules: ChainRules

    /// `checked` are extensions that the caller has looked at, so that they may be critical.
    init(anchors: [Certificate], checked: [ASN1ObjectIdentifier] = [], now: Instant) {
        self.anchors = anchors
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        rules = ChainRules(critical: CriticalExtensions(checked: checked), date: date)
    }

    /// The anchor of `path`, the leaf first, each certificate's issuer behind it.
    ///
    /// A leaf that is an anchor itself is trusted as it stands, which is how metadata names a single certificate.
    @discardableResult
    func anchor(of path: [Certificate]) async throws(TrustFault) -> Certificate {
        guard let leaf = path.first else { throw .untrusted }
        guard path.allSatisfy(rules.critical.coverAll) else { throw .criticalExtension }
        if anchors.contains(leaf) {
            if let fault = rules.faultOfPinned(leaf) { throw fault }
            return leaf
        }
        // In their order, so that nobody makes us try every way through a mesh of certificates.
        guard zip(path, path.dropFirst()).allSatisfy({ $0.issuer == $1.subject }) else { throw .order }
        return try await validated(leaf, Array(path.dropFirst()))
    }

    private func validated(_ leaf: Certificate, _ issuers: [Certificate]) async throws(TrustFault) -> Certificate {
        var verifier = Verifier(rootCertificates: CertificateStore(anchors)) {
            RFC5280Policy(fixedExpiryValidationTime: rules.date)
            rules
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore(issuers)) {
        case .validCertificate(let chain):
            guard let anchor = Array(chain).last else { throw .untrusted }
            return anchor
        case .couldNotValidate(let failures):
            // No chain at all: no anchor signed the last certificate, or one of them didn't sign the one before it.
            guard let failure = failures.first else { throw .untrusted }
            throw rules.fault(in: Array(failure.chain)) ?? .constraints
        }
    }
}
