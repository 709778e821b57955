internal import Kernel

/// A file of the key folder on disk: unencrypted, or encrypted with the operator's key.
///
/// ```
/// vestibule-sealed-1 NAME-OF-THE-KEY BASE64URL
/// ```
///
/// An encrypted file decrypts only under its own name, so that no file can replace another.
struct FileEncryption: Sendable {
    /// The operator's keys; with `nil`, files are written unencrypted and encrypted ones cannot be read.
    private let encryptor: AESGCMEncryptor?

    init(_ encryptor: AESGCMEncryptor?) { self.encryptor = encryptor }

    /// Returns the content of the file, and whether the file must be written again with the current encryption.
    func decrypt(_ bytes: [UInt8], name: String, path: String) throws(KeyError) -> (content: [UInt8], isStale: Bool) {
        guard bytes.starts(with: Self.mark) else { return (bytes, encryptor != nil) }
        let parts = String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
        guard parts.count == 3, let encrypted = Base64URL.decode(parts[2]) else {
            throw .damaged(path: path, .undecryptable)
        }
        guard let encryptor else { throw .encrypted(path: path) }
        let key = String(parts[1])
        guard encryptor.knows(key) else { throw .encrypted(path: path) }
        guard let content = encryptor.decrypt(encrypted, key: key, as: Self.context(name)) else {
            throw .damaged(path: path, .undecryptable)
        }
        return (content, key != encryptor.currentKey)
    }

    /// Returns the bytes to write for that content.
    func encrypt(_ content: [UInt8], name: String, path: String) throws(KeyError) -> [UInt8] {
        guard let encryptor else { return content }
        do {
            let encrypted = try encryptor.encrypt(content, as: Self.context(name))
            return Self.mark + Array("\(encryptor.currentKey) \(Base64URL.encode(encrypted))\n".utf8)
        } catch {
            throw .unavailable(path: path, action: "encrypt", cause: "\(error)")
        }
    }

    private static let mark = Array("vestibule-sealed-1 ".utf8)

    private static func context(_ name: String) -> EncryptionContext { "key-folder/\(name)" }
}
