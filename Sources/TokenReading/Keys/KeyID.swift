package import Kernel

/// The `kid` of a signing key.
///
/// It is the key's RFC 7638 thumbprint, so that it can be checked against the key.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// SHA-256 of the key's required members.
    package let digest: Digest256
    /// The base64url of the thumbprint, 43 characters.
    package let text: String

    /// Returns `nil` unless the text is the base64url of 32 bytes.
    ///
    /// The check is strict, because key ids become file names.
    package init?(_ text: String) {
        guard text.utf8.count == 43, let digest = Base64URL.decode(text).flatMap({ Digest256($0) }) else { return nil }
        self.digest = digest
        self.text = text
    }

    /// Computes the SHA-256 thumbprint of a key from `members`: those that its type requires, in lexicographic order
    /// (RFC 7638 §3).
    ///
    /// The values are base64url or registered names, so that the JSON needs no escapes.
    init(thumbprintOf members: [(name: String, value: String)]) {
        let json = members.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        self.init(Digest256(sha256: "{\(json)}"))
    }

    /// Creates the id of a key whose thumbprint is that digest.
    package init(_ digest: Digest256) {
        self.digest = digest
        text = Base64URL.encode(digest.bytes)
    }

    package var description: String { text }
}
