import Kernel

/// The fields of a query or of a form body (`application/x-www-form-urlencoded`, WHATWG URL §5.1).
package struct MockForm: Sendable {
    private let fields: [String: String]

    package init(_ text: String) {
        var fields: [String: String] = [:]
        for pair in QueryText.pairs(text) { fields[QueryText.decode(pair.name)] = QueryText.decode(pair.value) }
        self.fields = fields
    }

    package subscript(name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

    package var names: [String] { Array(fields.keys) }
}
