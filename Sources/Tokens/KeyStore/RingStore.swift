/// Keeps the rings: the key folder, or a database that several daemons share.
protocol RingStore: Sendable {
    /// Whether other daemons change the rings too.
    var isShared: Bool { get }

    /// Whether there is a ring for that use.
    func exists(_ use: KeyUse) throws(KeyError) -> Bool

    /// Returns the ring's name in an error.
    func location(of use: KeyUse) -> String

    /// Opens a ring, or stores the first one.
    ///
    /// `body` gets the stored ring, `nil` before the first start, and returns the ring to keep. It may be called several
    /// times, and only the last call counts.
    func open(_ use: KeyUse, _ body: (Ring?) throws(KeyError) -> Ring) throws(KeyError)

    /// Changes the stored ring, not the one in memory, because another process may have changed it.
    ///
    /// `body` may be called several times, each time with the ring as it is stored then, and only the last call counts.
    ///
    /// `publish` is called once the ring is stored, and before this process begins another change of it. So two changes
    /// cannot be published in the wrong order.
    func change(
        _ use: KeyUse,
        _ body: (inout Ring) throws(KeyError) -> Void,
        then publish: () -> Void
    ) throws(KeyError)
}

/// The rings in the key folder, which one process at a time changes.
struct FolderRingStore: RingStore {
    let folder: KeyFolder

    var isShared: Bool { false }

    func exists(_ use: KeyUse) throws(KeyError) -> Bool { try PrivateFiles.exists(folder.ringPath(use)) }

    func location(of use: KeyUse) -> String { folder.ringPath(use) }

    func open(_ use: KeyUse, _ body: (Ring?) throws(KeyError) -> Ring) throws(KeyError) {
        try folder.exclusively { () throws(KeyError) in
            let files = RingFolder(folder, use)
            guard let found = try files.load() else { return try files.create(body(nil)) }
            let old = Ring(found.keys)
            let ring = try body(old)
            if !ring.hasSameRecord(as: old) { try files.replace(old, with: ring) }
            if found.isStale { try files.encryptAgain(ring) }
        }
    }

    func change(
        _ use: KeyUse,
        _ body: (inout Ring) throws(KeyError) -> Void,
        then publish: () -> Void
    ) throws(KeyError) {
        try folder.exclusively { () throws(KeyError) in
            let files = RingFolder(folder, use)
            guard let found = try files.load() else { throw .missing(path: files.path) }
            let old = Ring(found.keys)
            var ring = old
            try body(&ring)
            if !ring.hasSameRecord(as: old) { try files.replace(old, with: ring) }
            publish()
        }
    }
}

extension KeyUse {
    /// The name of the ring: its folder in the key folder, or its row in a shared database.
    var ringName: String {
        switch self {
        case .tokens: "signing"
        case .identity: "identity"
        }
    }
}
