package import Kernel

/// Makes card tokens: what a confirmed payment is carried out with, once.
///
/// A payment's token can be made again, so that an answer that was lost is no lost payment; a row has only its digest.
package struct CardTokenFactory: Sendable {
    private let key: KeyedHash

    /// `key`: of the key folder, for this and nothing else.
    package init(key: Digest256) { self.key = KeyedHash(key: key) }

    /// 256 bits that only this server can tell from a payment's id.
    package func token(of payment: PaymentID) -> Secret {
        Secret(Self.prefix + Base64URL.encode(key.digest(Array(payment.description.utf8)).bytes))
    }

    /// What rows hold of a token.
    package func digest(_ token: Secret) -> Digest256 { Digest256(sha256: token.expose()) }

    /// Whether a text could be a token: nothing else is looked up.
    package func isForm(_ token: Secret) -> Bool {
        let text = token.expose()
        return text.utf8.count == Self.length && text.hasPrefix(Self.prefix)
    }

    /// Known by secret scanners.
    private static let prefix = "vct_"
    private static let length = prefix.utf8.count + 43
}
