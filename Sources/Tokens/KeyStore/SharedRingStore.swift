package import Kernel
internal import Synchronization
internal import TokenReading

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The rings in a database that several daemons share: one encrypted row for each ring.
///
/// A row has the content of ring.json and of the key files. It is encrypted under `root.key`, which each daemon is given
/// as a file, and decrypts only under its own name. The first daemon of all takes the ring of its key folder along, so
/// that a database that one daemon has used keeps its keys. A mark beside that ring says that the database has one since
/// then: should the row be lost, the old ring is not taken again, whose keys may have been retired.
///
/// One change of this process follows another, so that what is published is never older than what was published before.
package final class SharedRingStore: RingStore {
    private let rings: any SharedRings
    private let folder: KeyFolder
    private let encryptor: AESGCMEncryptor
    private let feed: any ChangeFeed
    private let reportUnmarked: @Sendable (KeyError) -> Void
    private let turn = Mutex(())

    /// - Parameters:
    ///   - rings: The rows.
    ///   - folder: The key folder, whose `root.key` encrypts them.
    ///   - feed: Tells other daemons of each change.
    ///   - environment: The randomness for nonces.
    ///   - reportUnmarked: Gets the reason when a start could not mark the folder's old ring, and did without.
    package init(
        _ rings: any SharedRings,
        folder: KeyFolder,
        feed: any ChangeFeed,
        environment: Environment,
        reportUnmarked: @escaping @Sendable (KeyError) -> Void
    ) {
        self.reportUnmarked = reportUnmarked
        self.rings = rings
        self.folder = folder
        self.feed = feed
        encryptor = AESGCMEncryptor(key: folder.derivedKey(.keyRing), environment: environment)
    }

    var isShared: Bool { true }

    func location(of use: KeyUse) -> String { "the row `\(use.ringName)` of key_rings" }

    func exists(_ use: KeyUse) throws(KeyError) -> Bool {
        var isStored = false
        try access(use) { stored throws(KeyError) in
            isStored = stored != nil
            return nil
        }
        if isStored { return true }
        return try PrivateFiles.exists(folder.ringPath(use))
    }

    func open(_ use: KeyUse, _ body: (Ring?) throws(KeyError) -> Ring) throws(KeyError) {
        var isFirst = false
        try update(
            use,
            { stored throws(KeyError) in
                isFirst = stored == nil
                if let stored { return try body(stored) }
                return try body(ringOfFolder(use))
            },
            then: {}
        )
        do { try markMoved(use) } catch {
            // A daemon that takes nothing from its folder starts with a read-only one too.
            if isFirst { throw error }
            reportUnmarked(error)
        }
    }

    func change(
        _ use: KeyUse,
        _ body: (inout Ring) throws(KeyError) -> Void,
        then publish: () -> Void
    ) throws(KeyError) {
        try update(
            use,
            { stored throws(KeyError) in
                guard var ring = stored else { throw .missing(path: location(of: use)) }
                try body(&ring)
                return ring
            },
            then: publish
        )
    }

    private func update(
        _ use: KeyUse,
        _ body: (Ring?) throws(KeyError) -> Ring,
        then publish: () -> Void
    ) throws(KeyError) {
        var isChanged = false
        // Also after an error, because the change may be durable all the same.
        defer { if isChanged { feed.announce(.keysChanged) } }
        try turn.withLock { _ throws(KeyError) in
            try access(use) { stored throws(KeyError) in
                isChanged = false
                let old = try stored.map { bytes throws(KeyError) in try decode(bytes, use) }
                let ring = try body(old)
                if let old, ring.hasSameRecord(as: old) { return nil }
                let bytes = try encode(ring, use)
                isChanged = true
                return bytes
            }
            publish()
        }
    }

    /// Reads or changes a row, and names it in the database's errors.
    private func access(
        _ use: KeyUse,
        _ body: ([UInt8]?) throws(KeyError) -> [UInt8]?
    ) throws(KeyError) {
        do { try rings.change(use.ringName) { try body($0) } } catch let error as KeyError { throw error } catch {
            let cause = (error as? StoreError)?.cause ?? "\(error)"
            throw .unavailable(path: location(of: use), action: "read or change", cause: cause)
        }
    }

    /// Returns the ring that a single daemon has kept in the key folder, if there is one.
    ///
    /// - Throws: ``KeyError/moved(row:ring:mark:)`` if the database had a ring before.
    private func ringOfFolder(_ use: KeyUse) throws(KeyError) -> Ring? {
        try folder.exclusively { () throws(KeyError) in
            guard let found = try RingFolder(folder, use).load() else { return nil }
            let mark = "\(folder.path)/\(Self.markName(use))"
            guard try !PrivateFiles.exists(mark) else {
                throw .moved(row: location(of: use), ring: folder.ringPath(use), mark: mark)
            }
            return Ring(found.keys)
        }
    }

    /// Marks a ring of the key folder as one that the database has taken the place of.
    ///
    /// A folder without a ring, which may be read-only, is left alone.
    private func markMoved(_ use: KeyUse) throws(KeyError) {
        let name = Self.markName(use)
        guard try PrivateFiles.exists(folder.ringPath(use)), try !PrivateFiles.exists("\(folder.path)/\(name)") else {
            return
        }
        try folder.exclusively { () throws(KeyError) in
            let text = "The database has these keys since then: \(location(of: use)).\n"
            try PrivateFiles.replace(name, in: folder.path, with: Array(text.utf8))
        }
    }

    private static func markName(_ use: KeyUse) -> String { "\(use.ringName).moved" }

    /// The content of a row before its encryption.
    private struct Content: Codable {
        /// The text of ring.json.
        let ring: String
        /// The PKCS#8 PEM of each key that is not retired, by the key's id.
        let keys: [String: String]
    }

    private func encode(_ ring: Ring, _ use: KeyUse) throws(KeyError) -> [UInt8] {
        let pems = ring.keys.compactMap { key in key.key.map { (key.id.text, $0.pem) } }
        do {
            let record = try RingRecord(ring, root: folder.rootFingerprint).encoded()
            let content = Content(
                ring: String(decoding: record, as: UTF8.self),
                keys: Dictionary(pems, uniquingKeysWith: { first, _ in first })
            )
            let text = String(decoding: try JSONEncoder().encode(content), as: UTF8.self)
            return Array(try encryptor.encrypt(Secret(text), as: Self.context(use)).utf8)
        } catch {
            throw .unavailable(path: location(of: use), action: "encrypt", cause: "\(error)")
        }
    }

    private func decode(_ bytes: [UInt8], _ use: KeyUse) throws(KeyError) -> Ring {
        let path = location(of: use)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let plain = encryptor.decrypt(text, as: Self.context(use)) else {
            // The name of the key, which stands first, depends on nothing but root.key.
            let isOurs = encryptor.knows(String(text.prefix { $0 != "." }))
            throw .damaged(path: path, isOurs ? .altered : .foreignRoot)
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(plain.expose().utf8)) else {
            throw .damaged(path: path, .notARing)
        }
        let record = try RingRecord.decode(Array(content.ring.utf8), path: path)
        let keys = try record.ringKeys(root: folder.rootFingerprint, path: path) { id, algorithm throws(KeyError) in
            let place = "the key \(id.text) in \(path)"
            guard let pem = content.keys[id.text] else { throw .missing(path: place) }
            return try SigningKey.read(pem, id: id, algorithm: algorithm, path: place)
        }
        return Ring(keys)
    }

    private static func context(_ use: KeyUse) -> EncryptionContext { "key_rings/\(use.ringName)" }
}
