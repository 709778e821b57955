/// Fetches the issuer's key set (RFC 7517 §5).
///
/// ``HTTPKeySetSource`` is the one that is used unless another is given: a file that a deployment ships, a test's own.
public protocol KeySetSource: Sendable {
    /// The key set as it is now.
    ///
    /// - Throws: Whatever kept it from being fetched; the keys that were fetched before are used in the meantime.
    func fetch() async throws -> KeySetDocument
}

/// A fetched key set.
public struct KeySetDocument: Sendable, Hashable {
    /// The JSON document.
    public let bytes: [UInt8]
    /// How long it may be used without asking again; `nil` where the issuer does not say.
    public let maxAge: Duration?

    /// A key set that may be used for so long.
    public init(bytes: [UInt8], maxAge: Duration?) {
        self.bytes = bytes
        self.maxAge = maxAge
    }
}
