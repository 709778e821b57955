/// The fields of a query or of a form body (`application/x-www-form-urlencoded`, WHATWG URL §5.1).
package struct MockForm: Sendable {
    private let fields: [String: String]

    package init(_ text: String) {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields[Self.decode(parts[0])] = parts.count == 2 ? Self.decode(parts[1]) : ""
        }
        self.fields = fields
    }

    package subscript(name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

    package var names: [String] { Array(fields.keys) }

    /// A plus is a space; what is no escape stands for itself.
    private static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
