/// Fetches the issuer's key set (RFC 7517 §5).
///
/// ``HTTPKeySetSource`` is the default; a deployment can read a file, and a test can use its own.
public protocol KeySetSource: Sendable {
    /// Fetches the current key set.
    ///
    /// - Throws: Any error of the fetch; earlier keys are used in the meantime.
    func fetch() async throws -> KeySetDocument
}

/// A fetched key set.
public struct KeySetDocument: Sendable, Hashable {
    /// The JSON document.
    public let bytes: [UInt8]
    /// How long the document may be used without a new fetch; `nil` if the issuer does not say.
    public let maxAge: Duration?

    /// Creates a key set that may be used for that long.
    public init(bytes: [UInt8], maxAge: Duration?) {
        self.bytes = bytes
        self.maxAge = maxAge
    }
}
