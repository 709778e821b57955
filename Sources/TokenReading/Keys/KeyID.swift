package import Kernel

/// The `kid` of a signing key: its RFC 7638 thumbprint, so that the name can be checked against the key.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// The thumbprint itself.
    package let digest: Digest256
    /// The base64url of the thumbprint, 43 characters.
    package let text: String

    /// Returns `nil` unless the text is the base64url of 32 bytes: a key id names a file, so nothing else may pass.
    package init?(_ text: String) {
        guard text.utf8.count == 43, let digest = Base64URL.decode(text).flatMap({ Digest256($0) }) else { return nil }
        self.digest = digest
        self.text = text
    }

    /// The thumbprint with SHA-256 of a key made of `members` (RFC 7638 §3): those that its type requires and no
    /// others, in lexicographic order.
    ///
    /// Their values are base64url or names from the registry, so that nothing in the JSON needs an escape.
    init(thumbprintOf members: [(name: String, value: String)]) {
        let json = members.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        self.init(Digest256(sha256: "{\(json)}"))
    }

    /// The name of a key whose thumbprint is that digest.
    package init(_ digest: Digest256) {
        self.digest = digest
        text = Base64URL.encode(digest.bytes)
    }

    package var description: String { text }
}
