import Kernel

/// A JSON object from authID, read strictly.
///
/// A duplicate member, invalid UTF-8 or text after the object is refused. JSON readers differ about which of two
/// members counts (RFC 8259 §4), and one of the two might say "accepted".
struct AuthIDDocument: Sendable {
    private let members: [String: JSONValue]

    /// Returns `nil` unless the bytes are one valid JSON object.
    init?(_ body: [UInt8]) {
        guard let value = try? JSONReader.read(body) else { return nil }
        self.init(value)
    }

    init?(_ value: JSONValue) {
        guard case .object(let members) = value else { return nil }
        self.members = members
    }

    /// Returns the member's text, or `nil` where the member is missing or not a text.
    func text(_ name: String) -> String? {
        if case .string(let text)? = members[name] { text } else { nil }
    }

    /// Returns the member's whole number, or `nil` where the member is missing or not a whole number.
    func integer(_ name: String) -> Int? { members[name]?.integer.flatMap { Int(exactly: $0) } }

    /// Returns the member's value, or `nil` where it is missing or `null`.
    func value(_ name: String) -> JSONValue? { members[name].flatMap { $0.isNull ? nil : $0 } }
}
