/// Fetches the issuer's key set (RFC 7517 §5).
///
/// ``HTTPKeySetSource`` is the default. A deployment can read a file instead, and a test can use its own source.
public protocol KeySetSource: Sendable {
    /// Fetches the current key set.
    ///
    /// - Throws: Any error of the fetch. Earlier keys are used in the meantime.
    func fetch() async throws -> KeySetDocument
}

/// A fetched key set.
public struct KeySetDocument: Sendable, Hashable {
    /// The JSON document.
    public let bytes: [UInt8]
    /// The time for which the document may be used without another fetch; `nil` if the issuer states none.
    public let maxAge: Duration?

    /// Creates a key set that may be used for that long.
    public init(bytes: [UInt8], maxAge: Duration?) {
        self.bytes = bytes
        self.maxAge = maxAge
    }
}
