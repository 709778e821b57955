package import Kernel

/// Creates card tokens, with which a confirmed payment is carried out once.
///
/// A payment's token can be derived again, so a lost response does not lose the payment. The database has only the
/// token's digest.
package struct CardTokenFactory: Sendable {
    private let key: KeyedHash

    /// - Parameter key: The key for card tokens, from the key folder.
    package init(key: Digest256) { self.key = KeyedHash(key: key) }

    /// Returns the token of a payment: 256 bits that only this server can derive from the payment's id.
    package func token(of payment: PaymentID) -> Secret {
        Secret(Self.prefix + Base64URL.encode(key.digest(Array(payment.description.utf8)).bytes))
    }

    /// Returns the digest of a token, as the database has it.
    package func digest(_ token: Secret) -> Digest256 { Digest256(sha256: token.expose()) }

    /// Whether a text has the form of a token; other texts are not looked up.
    package func isForm(_ token: Secret) -> Bool {
        let text = token.expose()
        return text.utf8.count == Self.length && text.hasPrefix(Self.prefix)
    }

    /// The prefix by which secret scanners find tokens.
    private static let prefix = "vct_"
    private static let length = prefix.utf8.count + 43
}
