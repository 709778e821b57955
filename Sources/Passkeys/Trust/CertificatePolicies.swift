internal import SwiftASN1
internal import X509

/// The policies that a certificate was issued under (RFC 5280 §4.2.1.4), which TPMs' certificates mark as critical.
///
/// No policy is required here (RFC 5280 §6.1.1: any-policy, none explicit), so no policy makes a chain invalid. An
/// issuer's policy constraints are not understood: if they are critical, the chain is refused.
enum CertificatePolicies {
    static let identifier: ASN1ObjectIdentifier = "2.5.29.32"

    /// Whether the policies have no other qualifiers than the two for human readers.
    static func areUnderstood(_ found: Certificate.Extension) -> Bool {
        guard let policies = try? DER.parse(found.value), policies.identifier == .sequence,
            case .constructed(let nodes) = policies.content
        else { return false }
        return nodes.allSatisfy { (try? qualifiers($0))?.allSatisfy(readable.contains) ?? false }
    }

    /// Reads the qualifiers of a PolicyInformation.
    private static func qualifiers(_ policy: ASN1Node) throws -> [ASN1ObjectIdentifier] {
        try DER.sequence(policy, identifier: .sequence) { nodes in
            _ = try ASN1ObjectIdentifier(derEncoded: &nodes)
            guard let qualifiers = nodes.next() else { return [] }
            return try DER.sequence(of: Qualifier.self, identifier: .sequence, rootNode: qualifiers).map(\.identifier)
        }
    }

    /// `id-qt-cps` and `id-qt-unotice`.
    private static let readable: Set<ASN1ObjectIdentifier> = ["1.3.6.1.5.5.7.2.1", "1.3.6.1.5.5.7.2.2"]

    /// PolicyQualifierInfo.
    private struct Qualifier: DERParseable {
        let identifier: ASN1ObjectIdentifier

        init(derEncoded node: ASN1Node) throws {
            identifier = try DER.sequence(node, identifier: .sequence) { nodes in
                let identifier = try ASN1ObjectIdentifier(derEncoded: &nodes)
                guard nodes.next() != nil else { throw ASN1Error.truncatedASN1Field() }
                return identifier
            }
        }
    }
}
