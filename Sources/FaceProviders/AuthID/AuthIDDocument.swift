import Kernel

/// A JSON object of authID's, read strictly.
///
/// A member named twice, bad UTF-8 or text after the object is refused. Readers differ about which of two members
/// counts (RFC 8259 §4), and one of them might say "accepted".
struct AuthIDDocument: Sendable {
    private let members: [String: JSONValue]

    /// Returns `nil` for bytes that are not such an object.
    init?(_ body: [UInt8]) {
        guard let value = try? JSONReader.read(body) else { return nil }
        self.init(value)
    }

    init?(_ value: JSONValue) {
        guard case .object(let members) = value else { return nil }
        self.members = members
    }

    /// Returns the member's text; `nil` where it is missing or anything else.
    func text(_ name: String) -> String? {
        if case .string(let text)? = members[name] { text } else { nil }
    }

    /// Returns the member's whole number; `nil` where it is missing or anything else.
    func integer(_ name: String) -> Int? { members[name]?.integer.flatMap { Int(exactly: $0) } }

    /// Returns the member; `nil` where it is missing or `null`.
    func value(_ name: String) -> JSONValue? { members[name].flatMap { $0.isNull ? nil : $0 } }
}
