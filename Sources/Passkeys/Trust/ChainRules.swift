internal import FoundationEssentials
internal import SwiftASN1
internal import X509

/// What is asked of a chain beside RFC 5280 §6.1, which the library sees to, and what the library leaves out of that.
///
/// It takes signatures with SHA-1, issuers of version 1, and issuers whose key usage says otherwise. RSA keys of fewer than
/// 2048 bits, or more than 8192, it doesn't even read.
struct ChainRules: VerifierPolicy {
    /// What may be critical in the leaf; in all others only what is understood of itself.
    let leaf: CriticalExtensions
    let date: Date

    var verifyingCriticalExtensions: [ASN1ObjectIdentifier] { leaf.identifiers }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard let fault = fault(in: Array(chain)) else { return .meetsPolicy }
        return .failsToMeetPolicy(reason: fault.code)
    }

    /// The first fault of a chain, the leaf first and the anchor last.
    func fault(in chain: [Certificate]) -> TrustError? {
        if let fault = faultOfTime(chain) { return fault }
        guard coverCriticalExtensions(of: chain) else { return .criticalExtension }
        // An anchor's own signature proves nothing, so that it may be of any age.
        if chain.dropLast().contains(where: { $0.signatureAlgorithm == .sha1WithRSAEncryption }) {
            return .weakSignature
        }
        return faultOfIssuers(chain.dropFirst())
    }

    /// Whether every critical extension of the certificates, the leaf first, is one that was looked at.
    func coverCriticalExtensions(of chain: [Certificate]) -> Bool {
        chain.prefix(1).allSatisfy(leaf.coverAll)
            && chain.dropFirst().allSatisfy(CriticalExtensions.understood.coverAll)
    }

    /// A pinned certificate stands for itself: nobody signed it for us.
    func faultOfPinned(_ certificate: Certificate) -> TrustError? { faultOfTime([certificate]) }

    private func faultOfTime(_ chain: [Certificate]) -> TrustError? {
        if chain.contains(where: { date < $0.notValidBefore }) { return .notYetValid }
        return chain.contains { date > $0.notValidAfter } ? .expired : nil
    }

    private func faultOfIssuers(_ issuers: ArraySlice<Certificate>) -> TrustError? {
        // Before version 3 nothing tells an authority from anybody else; only an anchor was chosen by hand.
        if issuers.dropLast().contains(where: { $0.version != .v3 }) { return .constraints }
        return issuers.allSatisfy(Self.maySignCertificates) ? nil : .keyUsage
    }

    private static func maySignCertificates(_ issuer: Certificate) -> Bool {
        guard issuer.extensions[oid: .X509ExtensionID.keyUsage] != nil else { return true }
        return (try? issuer.extensions.keyUsage)?.keyCertSign ?? false
    }
}
