import Crypto
package import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Seals what has to be read again but not by whoever reads the database: AES-256-GCM (NIST SP 800-38D) under a key that
/// is named beside what it sealed.
///
/// The operator's key seals where there is one (`secrets.sealingKey`), else one derived from `root.key`. Both open, and
/// so do the operator's earlier ones, so that a key can be given or changed while sealed rows stand.
package struct Sealer: Sendable {
    private let current: SealingKey
    private let keys: [String: SealingKey]
    private let facts: Facts

    /// `secrets`: The operator's keys; the first seals, the others only open.
    package init(_ secrets: [Secret], folder: KeyFolder, facts: Facts) {
        let derived = SealingKey(folder.derivedKey(.sealing))
        let given = secrets.map { SealingKey(SymmetricKey(data: Data($0.expose().utf8))) }
        current = given.first ?? derived
        keys = Dictionary((given + [derived]).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.facts = facts
    }

    /// Seals with the operator's keys alone: for the key folder itself, whose own keys keep nothing from who reads it.
    ///
    /// `nil` without any.
    init?(_ secrets: [Secret], facts: Facts) {
        let given = secrets.map { SealingKey(SymmetricKey(data: Data($0.expose().utf8))) }
        guard let first = given.first else { return nil }
        current = first
        keys = Dictionary(given.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.facts = facts
    }

    /// Whether it is one of the keys that open.
    package func knows(_ key: String) -> Bool { keys[key] != nil }

    /// The name of the key that is sealed with now: tells nothing about it.
    package var currentKey: String { current.name }

    /// Nonce, sealed bytes and tag in one.
    ///
    /// `context` is authenticated: the bytes open for no other.
    package func seal(_ bytes: [UInt8], as context: String) throws -> [UInt8] {
        let nonce = try AES.GCM.Nonce(data: facts.randomBytes(12))
        let box = try AES.GCM.seal(bytes, using: current.key, nonce: nonce, authenticating: Array(context.utf8))
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// `nil` for bytes of an unknown key or another context, and for changed ones.
    package func open(_ bytes: [UInt8], key: String, as context: String) -> [UInt8]? {
        guard let key = keys[key]?.key, let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Array(context.utf8))
        else { return nil }
        return Array(opened)
    }
}

/// A key and its name, both of one secret (HKDF-SHA256, RFC 5869).
private struct SealingKey: Sendable {
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
