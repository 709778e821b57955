internal import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `signing/` on the disk.
///
/// `ring.json` says which keys count; a key file that it doesn't name is a left-over of a crash. Every method expects
/// the key folder's lock to be held.
struct RingFolder {
    let path: String
    private let parent: String
    /// What ``KeyFolder/rootFingerprint`` is now.
    private let root: String

    init(_ folder: KeyFolder) {
        path = folder.signingPath
        parent = folder.path
        root = folder.rootFingerprint
    }

    /// The ring, or `nil` before the first start has made one.
    func load() throws(KeyFault) -> [RingKey]? {
        guard try PrivateFiles.exists(path) else { return nil }
        try PrivateFiles.checkFolder(path)
        let ringPath = "\(path)/\(Self.ringName)"
        guard let bytes = try PrivateFiles.contents(of: ringPath, limit: 256 * 1024) else {
            throw .missing(path: ringPath)
        }
        let record = try RingRecord.decode(bytes, path: ringPath)
        guard record.root == root else { throw .damaged(path: ringPath, .foreignRoot) }
        var keys: [RingKey] = []
        for entry in record.keys {
            let key = try key(of: entry, ringPath: ringPath)
            guard !keys.contains(where: { $0.id == key.id }) else {
                throw .damaged(path: ringPath, .duplicateKey(entry.kid))
            }
            keys.append(key)
        }
        let current = keys.count { $0.retirement == nil }
        guard current == 1 else { throw .damaged(path: ringPath, .currentKeys(current)) }
        return keys
    }

    /// Makes `signing/` with its first key as a whole, so that a crash leaves all of it or nothing.
    func create(_ key: RingKey) throws(KeyFault) {
        let draft = path + PrivateFiles.draftSuffix
        if try PrivateFiles.exists(draft) { try removeFolder(draft) }
        try PrivateFiles.makeFolder(draft, in: parent)
        try writeKey(key, in: draft)
        try writeRing([key], in: draft)
        try PrivateFiles.move(draft, to: path)
        try PrivateFiles.sync(folder: parent)
    }

    /// Makes `keys` the ring; `added` is the one of them that has no file yet.
    func replace(_ keys: [RingKey], added: RingKey? = nil) throws(KeyFault) {
        if let added { try writeKey(added, in: path) }
        try writeRing(keys, in: path)
        // The new ring counts from here on: a left-over that can't be removed now must not make it look refused. The
        // next change tries again.
        try? sweep(keeping: keys)
    }

    /// Removes key files that the ring no longer names: pruned keys, and what a crash left behind.
    private func sweep(keeping keys: [RingKey]) throws(KeyFault) {
        let kept = Set(keys.map { Self.fileName($0.id) })
        var removed = false
        for name in try names() where name.hasSuffix(Self.keySuffix) && !kept.contains(name) {
            guard KeyID(String(name.dropLast(Self.keySuffix.count))) != nil else { continue }
            try PrivateFiles.remove("\(path)/\(name)")
            removed = true
        }
        if removed { try PrivateFiles.sync(folder: path) }
    }

    private func key(of entry: RingRecord.Entry, ringPath: String) throws(KeyFault) -> RingKey {
        guard let id = KeyID(entry.kid), (entry.retiredAt == nil) == (entry.verifyUntil == nil) else {
            throw .damaged(path: ringPath, .notARing)
        }
        let keyPath = "\(path)/\(Self.fileName(id))"
        guard let pem = try PrivateFiles.contents(of: keyPath, limit: 4096) else { throw .missing(path: keyPath) }
        guard let key = SigningKey(pem: String(decoding: pem, as: UTF8.self), algorithm: entry.alg) else {
            throw .damaged(path: keyPath, .notAKey(algorithm: entry.alg.rawValue))
        }
        var retirement: RingKey.Retirement?
        if let retiredAt = entry.retiredAt, let verifyUntil = entry.verifyUntil {
            retirement = .init(
                at: Instant(milliseconds: retiredAt),
                verifyUntil: Instant(milliseconds: verifyUntil)
            )
        }
        let ringKey = RingKey(
            key: key,
            createdAt: Instant(milliseconds: entry.createdAt),
            retirement: retirement
        )
        guard ringKey.id == id else {
            throw .damaged(path: keyPath, .thumbprintMismatch(found: ringKey.id.text))
        }
        return ringKey
    }

    private func writeKey(_ key: RingKey, in folder: String) throws(KeyFault) {
        try PrivateFiles.replace(Self.fileName(key.id), in: folder, with: Array(key.key.pem.utf8))
    }

    private func writeRing(_ keys: [RingKey], in folder: String) throws(KeyFault) {
        let record = RingRecord(
            version: RingRecord.currentVersion,
            root: root,
            keys: keys.map { key in
                RingRecord.Entry(
                    kid: key.id.text,
                    alg: key.key.verificationKey.algorithm,
                    createdAt: key.createdAt.milliseconds,
                    retiredAt: key.retirement?.at.milliseconds,
                    verifyUntil: key.retirement?.verifyUntil.milliseconds
                )
            }
        )
        let bytes: [UInt8]
        do {
            bytes = try record.encoded()
        } catch {
            throw .unavailable(path: "\(folder)/\(Self.ringName)", action: "encode", cause: "\(error)")
        }
        try PrivateFiles.replace(Self.ringName, in: folder, with: bytes)
    }

    private func names() throws(KeyFault) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .unavailable(path: path, action: "list", cause: "\(error)")
        }
    }

    private func removeFolder(_ path: String) throws(KeyFault) {
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
