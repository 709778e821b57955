internal import Crypto
package import Kernel

/// The `kid` of a signing key: its RFC 7638 thumbprint, so that the name can be checked against the key.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// 43 characters of base64url.
    package let text: String

    /// `nil` unless the text is the base64url of 32 bytes: a key id names a file, so nothing else may pass.
    package init?(_ text: String) {
        guard text.utf8.count == 43, Base64URL.decode(text)?.count == 32 else { return nil }
        self.text = text
    }

    /// The thumbprint with SHA-256 of a key made of `members` (RFC 7638 §3): those that its type requires and no
    /// others, in lexicographic order.
    ///
    /// Their values are base64url or names from the registry, so that nothing in the JSON needs an escape.
    init(thumbprintOf members: [(name: String, value: String)]) {
        let json = members.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        text = Base64URL.encode(SHA256.hash(data: Array("{\(json)}".utf8)))
    }

    /// The name of a key whose thumbprint is that digest.
    package init(_ digest: Digest256) { text = Base64URL.encode(digest.bytes) }

    /// The 32 bytes that the name is the base64url of.
    package var digest: Digest256 { Base64URL.decode(text).flatMap { Digest256($0) } ?? .zero }

    package var description: String { text }
}
