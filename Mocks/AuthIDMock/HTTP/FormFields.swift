import MockServing

/// The fields of a query or of a form body (`application/x-www-form-urlencoded`, WHATWG URL §5.1).
///
/// `+` is a space, as a server reads it: a secret that was not percent-encoded does not match.
struct FormFields: Sendable {
    private let fields: [String: String]

    init(_ text: String) {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.flatMap(Self.decode) else { continue }
            fields[name] = parts.count == 2 ? Self.decode(parts[1]) ?? "" : ""
        }
        self.fields = fields
    }

    subscript(name: String) -> String? { fields[name] }

    private static func decode(_ text: Substring) -> String? {
        PercentDecoding.decode(text.replacing("+", with: " "))
    }
}
