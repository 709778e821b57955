internal import SwiftASN1
internal import X509

/// The certificates of a statement, read and not yet trusted: one at least, the leaf first.
struct CertificatePath {
    /// The largest number of checked certificates; chains of authenticators have one to four.
    static let maximumCount = 6

    let leaf: Certificate
    let certificates: [Certificate]

    /// From the elements of `x5c`.
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

    /// The leaf's.
    var key: CertificateKey { CertificateKey(leaf.publicKey) }
}
