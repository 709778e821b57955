/// A JSON value as it was sent.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as it is written, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value of a number; `nil` for one too large to represent.
    package var number: Double? {
        guard case .number(let text) = self, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Whether it is `null`.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// A whole number in its shortest form, or `-0`; `nil` for a fraction, an exponent, or a number beyond 64 bits.
    package var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text)
    }
}
