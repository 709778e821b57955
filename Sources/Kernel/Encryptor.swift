/// Port: encrypts, with authentication, stored values that have to be read again, so that a copy of the database
/// reveals no secret.
///
/// A value decrypts only in the context that it was encrypted in, so that it can't be moved to another column or row.
package protocol Encryptor: Sendable {
    /// The name of the key that encrypts new values.
    var currentKey: String { get }

    func encrypt(_ bytes: [UInt8], as context: EncryptionContext) throws -> [UInt8]

    /// Returns the plain bytes; `nil` for an unknown key, another context or changed bytes.
    func decrypt(_ bytes: [UInt8], key: String, as context: EncryptionContext) -> [UInt8]?
}

extension Encryptor {
    /// Encrypts to text, with the key's name before it: `KEY.BASE64URL`.
    package func encrypt(_ secret: Secret, as context: EncryptionContext) throws -> String {
        "\(currentKey).\(Base64URL.encode(try encrypt(Array(secret.expose().utf8), as: context)))"
    }

    /// Returns `nil` for text that ``encrypt(_:as:)`` did not make in that context.
    package func decrypt(_ text: String, as context: EncryptionContext) -> Secret? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let bytes = Base64URL.decode(parts[1]),
            let decrypted = decrypt(bytes, key: String(parts[0]), as: context)
        else { return nil }
        return String(validating: decrypted, as: UTF8.self).map { Secret($0) }
    }
}

/// The context that a value is encrypted in: the column of the row.
package struct EncryptionContext: Sendable, ExpressibleByStringInterpolation {
    package let text: String

    package init(stringLiteral text: String) { self.text = text }
}
