internal import FoundationEssentials
internal import SwiftASN1
internal import X509

/// The checks of a chain that the X.509 library's RFC 5280 policy leaves out.
///
/// The library accepts SHA-1 signatures, issuers of version 1, and issuers whose key usage forbids signing
/// certificates. It does not read RSA keys of fewer than 2048 bits, or more than 8192.
struct ChainRules: VerifierPolicy {
    /// The extensions that may be critical in the leaf; other certificates may have ``CriticalExtensions/understood``
    /// ones.
    let leaf: CriticalExtensions
    let date: Date

    var verifyingCriticalExtensions: [ASN1ObjectIdentifier] { leaf.identifiers }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard let fault = fault(in: Array(chain)) else { return .meetsPolicy }
        return .failsToMeetPolicy(reason: fault.code)
    }

    /// Returns the first error of a chain, from the leaf to the anchor.
    func fault(in chain: [Certificate]) -> TrustError? {
        if let fault = faultOfTime(chain) { return fault }
        guard coverCriticalExtensions(of: chain) else { return .criticalExtension }
        // An anchor's own signature proves nothing, so it may use SHA-1.
        if chain.dropLast().contains(where: { $0.signatureAlgorithm == .sha1WithRSAEncryption }) {
            return .weakSignature
        }
        return faultOfIssuers(chain.dropFirst())
    }

    /// Whether every critical extension in the chain is one that is checked; the leaf is the first certificate.
    func coverCriticalExtensions(of chain: [Certificate]) -> Bool {
        chain.prefix(1).allSatisfy(leaf.coverAll)
            && chain.dropFirst().allSatisfy(CriticalExtensions.understood.coverAll)
    }

    /// Returns the error of a pinned certificate, whose own signature is not needed.
    func faultOfPinned(_ certificate: Certificate) -> TrustError? { faultOfTime([certificate]) }

    private func faultOfTime(_ chain: [Certificate]) -> TrustError? {
        if chain.contains(where: { date < $0.notValidBefore }) { return .notYetValid }
        return chain.contains { date > $0.notValidAfter } ? .expired : nil
    }

    private func faultOfIssuers(_ issuers: ArraySlice<Certificate>) -> TrustError? {
        // Before version 3, certificates do not mark authorities. Only the anchor may be so old: an operator chose it.
        if issuers.dropLast().contains(where: { $0.version != .v3 }) { return .constraints }
        return issuers.allSatisfy(Self.maySignCertificates) ? nil : .keyUsage
    }

    private static func maySignCertificates(_ issuer: Certificate) -> Bool {
        guard issuer.extensions[oid: .X509ExtensionID.keyUsage] != nil else { return true }
        return (try? issuer.extensions.keyUsage)?.keyCertSign ?? false
    }
}
