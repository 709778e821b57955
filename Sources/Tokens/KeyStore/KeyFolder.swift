package import Crypto
package import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The folder with every secret that Vestibule creates for itself.
///
/// ```
/// keys/          0700
///   root.key     0600   32 random bytes: every derived key comes from it
///   lock         0600   one writer at a time
///   signing/     0700   the key ring: ring.json and one PKCS#8 PEM file per key
///   identity/    0700   the same of the RSA keys that sign id tokens for clients that ask for RS256
/// ```
///
/// Where several daemons can share a database, the rings are in that database (``SharedRingStore``), and each daemon is
/// given the same `root.key`.
///
/// If the operator has set an encryption key, `root.key` and the PEM files are encrypted (``FileEncryption``). Then the
/// folder and its backups are useless without that key.
///
/// The folder is created at the first start and loaded at later ones. A backup contains the whole identity of the
/// server: everybody who can read it can sign tokens for any account.
package struct KeyFolder: Sendable {
    package let path: String
    private let root: SymmetricKey
    /// The encryption of the folder's files.
    let encryption: FileEncryption

    /// Opens the folder, or creates it if it is missing.
    ///
    /// Its parent folder must exist.
    ///
    /// Several processes may call this at once and get the same keys. The call blocks while it reads or writes a few
    /// small files.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - environment: The randomness for a first `root.key` and for nonces.
    ///   - encryptionKeys: The operator's keys: the first encrypts the files of the folder, and the others only
    ///     decrypt. Files that are unencrypted, or encrypted with another key, are encrypted again.
    /// - Returns: The folder, whose keys can be derived.
    /// - Throws: ``KeyError``; ``KeyError/missing(path:)`` if there is a key ring but no `root.key`.
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

    /// Returns the existing folder, to identify it.
    ///
    /// Nothing is created, and nothing is encrypted again.
    ///
    /// - Returns: `nil` without a `root.key`, which ``open(at:environment:encryptionKeys:)`` would create.
    /// - Throws: ``KeyError`` for a `root.key` that cannot be read.
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

    /// Returns the key for one purpose: HKDF-SHA256 (RFC 5869) of `root.key`, without salt, and with the purpose as
    /// info.
    package func derivedKey(_ purpose: KeyPurpose) -> SymmetricKey { derive(purpose.rawValue, byteCount: 32) }

    /// Returns the bytes of ``derivedKey(_:)``, for a module that derives its own keys from them.
    package func derivedDigest(_ purpose: KeyPurpose) -> Digest256 {
        Digest256(derivedKey(purpose))
    }

    /// A public name for `root.key`: 22 characters of base64url.
    ///
    /// It distinguishes two roots and reveals neither.
    package var rootFingerprint: String {
        derive("fingerprint", byteCount: 16).withUnsafeBytes { Base64URL.encode($0) }
    }

    /// The digest by which a database recognises its `root.key`.
    ///
    /// It distinguishes two roots and reveals neither.
    package var databaseMark: Digest256 { derivedDigest(.databaseMark) }

    /// Returns the path of the key ring for that use.
    func ringPath(_ use: KeyUse) -> String { "\(path)/\(use.ringName)" }

    /// Runs `body` while no other caller, in any process, reads or changes the folder.
    func exclusively<Result>(_ body: () throws(KeyError) -> Result) throws(KeyError) -> Result {
        try FolderLock.hold(path, body)
    }

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
        // There is a ring without its root. A new root would start well but invalidate every hash and chain made with
        // the old one.
        guard try !PrivateFiles.exists("\(folder)/\(KeyUse.tokens.ringName)") else {
            throw .missing(path: "\(folder)/\(rootName)")
        }
        let root = environment.randomBytes(rootByteCount)
        try writeRoot(root, in: folder, as: encryption)
        return root
    }

    /// Returns the existing root, and whether it must be encrypted again; `nil` for a missing one.
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
