internal import SwiftASN1
internal import X509

/// The parsed certificates of a statement, not yet trusted: at least one, the leaf first.
struct CertificatePath {
    /// The most certificates that a statement may have, where authenticators send one to four.
    static let maximumCount = 6

    let leaf: Certificate
    let certificates: [Certificate]

    /// Reads the elements of `x5c`.
    init(_ elements: [CBORValue]) throws(AttestationError) {
        guard elements.count <= Self.maximumCount else { throw .certificateCount }
        var certificates: [Certificate] = []
        for element in elements {
            guard let der = element.byteString else { throw .malformed }
            guard let certificate = try? Certificate(derEncoded: der) else { throw .certificateUnreadable }
            certificates.append(certificate)
        }
        guard let leaf = certificates.first else { throw .certificateCount }
        self.leaf = leaf
        self.certificates = certificates
    }

    /// The public key of the leaf.
    var key: CertificateKey { CertificateKey(leaf.publicKey) }
}
