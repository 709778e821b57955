import Kernel

/// The fields of a form or of an address's query, decoded.
struct FormValues: Sendable, Equatable {
    private let values: [String: String]

    init(_ text: String = "") {
        values = Dictionary(
            QueryText.pairs(text).map { (QueryText.decode($0.name), QueryText.decode($0.value)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    init(_ values: [String: String]) { self.values = values }

    /// The value of a field without blanks at its ends; `nil` for an empty one.
    subscript(key: String) -> String? {
        guard let value = values[key] else { return nil }
        let trimmed = String(value.trimmed)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// The value of a field as it was typed.
    func exact(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the values with one more.
    func with(_ key: String, _ value: String?) -> FormValues {
        var values = values
        values[key] = value
        return FormValues(values)
    }
}
