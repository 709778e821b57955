/// What a strict parser makes of JSON.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A fraction, an exponent, or too large for 64 bits: nothing that a token of ours holds, so it is not evaluated.
    case otherNumber
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

/// The text is not JSON, or names a member of an object twice.
struct MalformedJSON: Error, Equatable {}
