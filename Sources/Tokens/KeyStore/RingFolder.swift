internal import Kernel
internal import TokenReading

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The folder `signing/` or `identity/` on disk.
///
/// `ring.json` lists the valid keys. A key file that it does not list was left by a crash. The caller of every method
/// must hold the key folder's lock.
struct RingFolder {
    let path: String
    private let parent: String
    /// The current ``KeyFolder/rootFingerprint``.
    private let root: String
    private let encryption: FileEncryption

    init(_ folder: KeyFolder, _ use: KeyUse) {
        encryption = folder.encryption
        path = folder.ringPath(use)
        parent = folder.path
        root = folder.rootFingerprint
    }

    /// The content of the folder.
    struct Content {
        let keys: [RingKey]
        /// Whether a file has another encryption than the current one.
        let isStale: Bool
    }

    /// Returns the ring; `nil` before the first start has created one.
    func load() throws(KeyError) -> Content? {
        guard try PrivateFiles.exists(path) else { return nil }
        try PrivateFiles.checkFolder(path)
        let ringPath = "\(path)/\(Self.ringName)"
        guard let bytes = try PrivateFiles.contents(of: ringPath, limit: 256 * 1024) else {
            throw .missing(path: ringPath)
        }
        let record = try RingRecord.decode(bytes, path: ringPath)
        var isStale = false
        let keys = try record.ringKeys(root: root, path: ringPath) { id, algorithm throws(KeyError) in
            try readKey(id, algorithm, isStale: &isStale)
        }
        return Content(keys: keys, isStale: isStale)
    }

    /// Creates the folder with its first keys as a whole: after a crash, there is all of it or nothing.
    func create(_ ring: Ring) throws(KeyError) {
        let draft = path + PrivateFiles.draftSuffix
        if try PrivateFiles.exists(draft) { try removeFolder(draft) }
        try PrivateFiles.makeFolder(draft, in: parent)
        for key in ring.keys { try writeKey(key, in: draft) }
        try writeRing(ring, in: draft)
        try PrivateFiles.move(draft, to: path)
        try PrivateFiles.sync(folder: parent)
    }

    /// Replaces the ring `old` with `ring`.
    ///
    /// Files of new keys are written first, so that a ring never lists a missing key. Files of removed keys are deleted
    /// last. A crash in between leaves the old ring or the new one.
    func replace(_ old: Ring, with ring: Ring) throws(KeyError) {
        let there = Set(old.keys.filter { $0.key != nil }.map(\.id))
        for key in ring.keys where !there.contains(key.id) { try writeKey(key, in: path) }
        try writeRing(ring, in: path)
        // The new ring is valid from here on. If an old file cannot be removed now, the change must still succeed. The
        // next change tries to remove the file again.
        try? sweep(keeping: ring)
    }

    /// Writes every key file again, with the current encryption.
    func encryptAgain(_ ring: Ring) throws(KeyError) {
        for key in ring.keys { try writeKey(key, in: path) }
    }

    /// Removes key files that the ring does not list: those of pruned keys, and those that a crash left.
    private func sweep(keeping ring: Ring) throws(KeyError) {
        let kept = Set(ring.keys.filter { $0.key != nil }.map { Self.fileName($0.id) })
        var removed = false
        for name in try names() where name.hasSuffix(Self.keySuffix) && !kept.contains(name) {
            guard KeyID(String(name.dropLast(Self.keySuffix.count))) != nil else { continue }
            try PrivateFiles.remove("\(path)/\(name)")
            removed = true
        }
        if removed { try PrivateFiles.sync(folder: path) }
    }

    private func readKey(
        _ id: KeyID,
        _ algorithm: SigningAlgorithm,
        isStale: inout Bool
    ) throws(KeyError) -> SigningKey {
        let name = Self.fileName(id)
        let keyPath = "\(path)/\(name)"
        guard let bytes = try PrivateFiles.contents(of: keyPath, limit: 8192) else { throw .missing(path: keyPath) }
        let opened = try encryption.decrypt(bytes, name: name, path: keyPath)
        isStale = isStale || opened.isStale
        let pem = String(decoding: opened.content, as: UTF8.self)
        return try SigningKey.read(pem, id: id, algorithm: algorithm, path: keyPath)
    }

    private func writeKey(_ key: RingKey, in folder: String) throws(KeyError) {
        guard let pem = key.key?.pem else { return }
        let name = Self.fileName(key.id)
        let bytes = try encryption.encrypt(Array(pem.utf8), name: name, path: "\(folder)/\(name)")
        try PrivateFiles.replace(name, in: folder, with: bytes)
    }

    private func writeRing(_ ring: Ring, in folder: String) throws(KeyError) {
        let bytes: [UInt8]
        do {
            bytes = try RingRecord(ring, root: root).encoded()
        } catch {
            throw .unavailable(path: "\(folder)/\(Self.ringName)", action: "encode", cause: "\(error)")
        }
        try PrivateFiles.replace(Self.ringName, in: folder, with: bytes)
    }

    private func names() throws(KeyError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .unavailable(path: path, action: "list", cause: "\(error)")
        }
    }

    private func removeFolder(_ path: String) throws(KeyError) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw .unavailable(path: path, action: "remove", cause: "\(error)")
        }
    }

    private static let ringName = "ring.json"
    private static let keySuffix = ".pem"

    private static func fileName(_ id: KeyID) -> String { id.text + keySuffix }
}
