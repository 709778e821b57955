import Crypto
package import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Encrypts with AES-256-GCM (NIST SP 800-38D), with a key whose name is stored beside the ciphertext.
///
/// The operator's key encrypts if there is one (`secrets.sealingKey`), otherwise a key derived from `root.key`. Both
/// decrypt, and so do the operator's earlier keys. So a key can be set or changed while encrypted rows exist.
package struct AESGCMEncryptor: Encryptor {
    private let current: EncryptionKey
    private let keys: [String: EncryptionKey]
    private let environment: Environment

    /// `secrets` are the operator's keys: the first encrypts, and the others only decrypt.
    package init(_ secrets: [Secret], folder: KeyFolder, environment: Environment) {
        let derived = EncryptionKey(folder.derivedKey(.encryption))
        let given = secrets.map { EncryptionKey(SymmetricKey(data: Data($0.expose().utf8))) }
        current = given.first ?? derived
        keys = Dictionary((given + [derived]).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.environment = environment
    }

    /// Creates an encryptor for the key folder, with only the operator's keys; returns `nil` without any.
    ///
    /// Keys derived from the folder cannot protect it, because everybody who reads the folder has them.
    init?(_ secrets: [Secret], environment: Environment) {
        let given = secrets.map { EncryptionKey(SymmetricKey(data: Data($0.expose().utf8))) }
        guard let first = given.first else { return nil }
        current = first
        keys = Dictionary(given.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.environment = environment
    }

    /// Creates an encryptor with one key, which also decrypts.
    init(key: SymmetricKey, environment: Environment) {
        current = EncryptionKey(key)
        keys = [current.name: current]
        self.environment = environment
    }

    /// Whether the key of that name is one of those that decrypt.
    package func knows(_ key: String) -> Bool { keys[key] != nil }

    /// The name of the key that encrypts.
    ///
    /// The name reveals nothing about the key.
    package var currentKey: String { current.name }

    /// Returns nonce, ciphertext and tag in one array.
    ///
    /// `context` is authenticated.
    package func encrypt(_ bytes: [UInt8], as context: EncryptionContext) throws -> [UInt8] {
        let nonce = try AES.GCM.Nonce(data: environment.randomBytes(12))
        let box = try AES.GCM.seal(bytes, using: current.key, nonce: nonce, authenticating: Array(context.text.utf8))
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    package func decrypt(_ bytes: [UInt8], key: String, as context: EncryptionContext) -> [UInt8]? {
        guard let key = keys[key]?.key, let box = try? AES.GCM.SealedBox(combined: bytes),
            let decrypted = try? AES.GCM.open(box, using: key, authenticating: Array(context.text.utf8))
        else { return nil }
        return Array(decrypted)
    }
}

/// A key and its name, both derived from one secret (HKDF-SHA256, RFC 5869).
private struct EncryptionKey: Sendable {
    let name: String
    let key: SymmetricKey

    init(_ secret: SymmetricKey) {
        func derive(_ label: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: secret,
                info: Data("vestibule/1/sealing/\(label)".utf8),
                outputByteCount: count
            )
        }
        key = derive("key", 32)
        name = derive("name", 8).withUnsafeBytes { Base64URL.encode($0) }
    }
}
