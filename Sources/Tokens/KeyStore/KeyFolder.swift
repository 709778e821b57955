package import Crypto
package import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The folder that holds every secret that Vestibule makes for itself.
///
/// ```
/// keys/          0700
///   root.key     0600   32 random bytes: every derived key comes from it
///   lock         0600   one writer at a time
///   signing/     0700   the key ring: ring.json and one PKCS#8 PEM file per key
///   identity/    0700   the same of the RSA keys that sign id tokens for clients that ask for RS256
/// ```
///
/// With an encryption key of the operator's, `root.key` and the PEM files are encrypted (``FileEncryption``). Then the
/// folder and its backups are worthless without that key.
///
/// The folder is made at the first start, and loaded at every later one. A backup of it is a backup of the whole
/// identity of the server: its reader can sign for anybody.
package struct KeyFolder: Sendable {
    package let path: String
    private let root: SymmetricKey
    /// The encryption of the folder's files.
    let encryption: FileEncryption

    /// Opens the folder, or makes it if it isn't there (its parent must be).
    ///
    /// Several processes may do so at once and end with the same keys. Blocks for a few small files.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - environment: Randomness for a first `root.key` and for nonces.
    ///   - encryptionKeys: The operator's keys: the first encrypts the files of the folder, the others only decrypt.
    ///     Files that are in the clear or under another key are encrypted again.
    /// - Returns: The folder, whose keys can be derived.
    /// - Throws: ``KeyError``; ``KeyError/missing(path:)`` when there is a key ring but no `root.key`.
    package static func open(
        at path: String,
        environment: Environment,
        encryptionKeys: [Secret] = []
    ) throws(KeyError) -> KeyFolder {
        try PrivateFiles.makeFolder(path, in: "\(path)/..")
        try PrivateFiles.checkFolder(path)
        let encryption = FileEncryption(AESGCMEncryptor(encryptionKeys, environment: environment))
        return try FolderLock.hold(path) { () throws(KeyError) in
            let root = SymmetricKey(data: try rootBytes(in: path, environment: environment, as: encryption))
            return KeyFolder(path: path, root: root, encryption: encryption)
        }
    }

    /// Returns the existing folder, to identify it; nothing is made, and nothing is encrypted again.
    ///
    /// - Returns: `nil` without a `root.key`: ``open(at:environment:encryptionKeys:)`` would make one.
    /// - Throws: ``KeyError`` for a `root.key` that can't be read.
    package static func find(
        at path: String,
        environment: Environment,
        encryptionKeys: [Secret] = []
    ) throws(KeyError) -> KeyFolder? {
        guard try PrivateFiles.exists("\(path)/\(rootName)") else { return nil }
        try PrivateFiles.checkFolder(path)
        let encryption = FileEncryption(AESGCMEncryptor(encryptionKeys, environment: environment))
        guard let root = try readRoot(in: path, as: encryption) else { return nil }
        return KeyFolder(path: path, root: SymmetricKey(data: root.bytes), encryption: encryption)
    }

    /// Returns the key for one purpose: HKDF-SHA256 (RFC 5869) of `root.key`, without salt, the purpose in the info.
    package func derivedKey(_ purpose: KeyPurpose) -> SymmetricKey { derive(purpose.rawValue, byteCount: 32) }

    /// Returns the same key as bytes, for a module that derives its own from them.
    package func derivedDigest(_ purpose: KeyPurpose) -> Digest256 {
        Digest256(derivedKey(purpose))
    }

    /// A public name for `root.key`, 22 characters of base64url: it tells two roots apart and reveals neither.
    package var rootFingerprint: String {
        derive("fingerprint", byteCount: 16).withUnsafeBytes { Base64URL.encode($0) }
    }

    /// The digest by which a database recognises its root: it tells two roots apart and reveals neither.
    package var databaseMark: Digest256 { derivedDigest(.databaseMark) }

    /// Returns the path of the ring of keys for that use.
    func ringPath(_ use: KeyUse) -> String {
        switch use {
        case .tokens: "\(path)/\(Self.signingName)"
        case .identity: "\(path)/identity"
        }
    }

    /// Runs `body` while no other caller, in any process, reads or changes the folder.
    func exclusively<Result>(_ body: () throws(KeyError) -> Result) throws(KeyError) -> Result {
        try FolderLock.hold(path, body)
    }

    static let signingName = "signing"

    private static let rootName = "root.key"
    private static let rootByteCount = 32

    private func derive(_ label: String, byteCount: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: root,
            info: Data("vestibule/1/\(label)".utf8),
            outputByteCount: byteCount
        )
    }

    private static func rootBytes(
        in folder: String,
        environment: Environment,
        as encryption: FileEncryption
    ) throws(KeyError) -> [UInt8] {
        if let root = try readRoot(in: folder, as: encryption) {
            if root.isStale { try writeRoot(root.bytes, in: folder, as: encryption) }
            return root.bytes
        }
        // A ring without its root: a new root would start well and orphan every hash and chain made with the old one.
        guard try !PrivateFiles.exists("\(folder)/\(signingName)") else {
            throw .missing(path: "\(folder)/\(rootName)")
        }
        let root = environment.randomBytes(rootByteCount)
        try writeRoot(root, in: folder, as: encryption)
        return root
    }

    /// Returns the existing root, and whether it has to be encrypted again; `nil` for a missing one.
    private static func readRoot(
        in folder: String,
        as encryption: FileEncryption
    ) throws(KeyError) -> (bytes: [UInt8], isStale: Bool)? {
        let path = "\(folder)/\(rootName)"
        guard let bytes = try PrivateFiles.contents(of: path, limit: 4096) else { return nil }
        let (root, isStale) = try encryption.decrypt(bytes, name: rootName, path: path)
        guard root.count == rootByteCount else {
            throw .damaged(path: path, .wrongSize(expected: rootByteCount, found: root.count))
        }
        return (bytes: root, isStale: isStale)
    }

    private static func writeRoot(_ root: [UInt8], in folder: String, as encryption: FileEncryption) throws(KeyError) {
        let bytes = try encryption.encrypt(root, name: rootName, path: "\(folder)/\(rootName)")
        try PrivateFiles.replace(rootName, in: folder, with: bytes)
    }
}
