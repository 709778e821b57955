/// A message from one daemon to the others that share its database.
///
/// It says what to read again, or what the receiver need not read to know. No message carries a secret: ids that clients
/// hold are digests.
package enum FeedMessage: Sendable, Hashable {
    /// An operation has a new version.
    ///
    /// `publicID`: SHA-256 of the id that the client polls with.
    case changed(publicID: Digest256, seq: Int64)
    /// An operation was bound to its binding cookie, which gives it no new version.
    case bound(publicID: Digest256)
    /// A client of the sender waits for an operation, so that its provider is to be asked often.
    case waitedFor(publicID: Digest256)
    /// The provider of an operation that the sender follows does not answer, for a daemon whose client waits.
    ///
    /// It is told as often as the other daemon asks by ``waitedFor(publicID:)``.
    case degraded(publicID: Digest256)
    /// A provider's webhook is about a scan that the sender does not follow.
    ///
    /// `scan`: SHA-256 of the provider and the scan's reference.
    case hinted(scan: Digest256)
    /// OAuth clients of the database have changed.
    case clientsChanged
    /// A session is being revoked, or all sessions of an account.
    case revoked(UUIDBits)
    /// Starts of a source for an account have to be decoys for a while.
    ///
    /// `key`: a keyed digest of both, the same on every daemon. `milliseconds`: how long that still lasts, cut off: daemons
    /// repeat to each other what they were told, and no round of that may add to it.
    case quieted(key: UInt64, milliseconds: Int64)
    /// The sender may have missed messages, and asks for those that can't be read from the database: ``quieted``.
    case missed
    /// The owner of an account has disowned an operation that was collected: the daemon that knows its initiator quiets
    /// that.
    case disowned(operation: UUIDBits)
    /// An operator lets no scan begin at a provider for a while; zero ends that.
    case paused(provider: String, milliseconds: Int64)
    /// The signing keys of the database have changed.
    case keysChanged
    /// The sender stops in order, and has sent everything.
    case stopping

    /// The message as one word.
    package var text: String {
        switch self {
        case .changed(let publicID, let seq): "c\(Base64URL.encode(publicID.bytes)).\(seq)"
        case .bound(let publicID): "b\(Base64URL.encode(publicID.bytes))"
        case .waitedFor(let publicID): "w\(Base64URL.encode(publicID.bytes))"
        case .degraded(let publicID): "p\(Base64URL.encode(publicID.bytes))"
        case .hinted(let scan): "h\(Base64URL.encode(scan.bytes))"
        case .clientsChanged: "d"
        case .revoked(let key): "r\(key)"
        case .quieted(let key, let left): "q\(String(key, radix: 16)).\(left)"
        case .missed: "m"
        case .disowned(let operation): "n\(operation)"
        case .paused(let provider, let left): "o\(Base64URL.encode(Array(provider.utf8))).\(left)"
        case .keysChanged: "k"
        case .stopping: "s"
        }
    }

    /// Reads a word; `nil` for one that another version of the program wrote.
    package init?(_ word: some StringProtocol) {
        let text = String(word)
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        switch (text.first, parts.count) {
        case ("c", 2):
            guard let publicID = Self.digest(parts[0]), let seq = Int64(parts[1]), seq > 0 else { return nil }
            self = .changed(publicID: publicID, seq: seq)
        case ("b", 1):
            guard let publicID = Self.digest(parts[0]) else { return nil }
            self = .bound(publicID: publicID)
        case ("w", 1):
            guard let publicID = Self.digest(parts[0]) else { return nil }
            self = .waitedFor(publicID: publicID)
        case ("p", 1):
            guard let publicID = Self.digest(parts[0]) else { return nil }
            self = .degraded(publicID: publicID)
        case ("h", 1):
            guard let scan = Self.digest(parts[0]) else { return nil }
            self = .hinted(scan: scan)
        case ("d", 1) where parts[0].isEmpty: self = .clientsChanged
        case ("r", 1):
            guard let key = UUIDBits(parts[0]) else { return nil }
            self = .revoked(key)
        case ("q", 2):
            guard let key = UInt64(parts[0], radix: 16), let left = Int64(parts[1]), left > 0 else { return nil }
            self = .quieted(key: key, milliseconds: left)
        case ("m", 1) where parts[0].isEmpty: self = .missed
        case ("n", 1):
            guard let operation = UUIDBits(parts[0]) else { return nil }
            self = .disowned(operation: operation)
        case ("o", 2):
            guard let name = Base64URL.decode(parts[0]), name.count <= 100, let left = Int64(parts[1]), left >= 0
            else { return nil }
            self = .paused(provider: String(decoding: name, as: UTF8.self), milliseconds: left)
        case ("k", 1) where parts[0].isEmpty: self = .keysChanged
        case ("s", 1) where parts[0].isEmpty: self = .stopping
        default: return nil
        }
    }

    private static func digest(_ text: String) -> Digest256? { Base64URL.decode(text).flatMap { Digest256($0) } }
}
