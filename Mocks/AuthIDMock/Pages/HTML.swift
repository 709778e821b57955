import MockServing

/// Markup.
///
/// Text that is interpolated into it is escaped; only other markup goes in as it is.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    let markup: String

    init(stringLiteral value: String) { markup = value }
    init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }
    init(joining parts: some Sequence<HTML>) { markup = parts.map(\.markup).joined(separator: "\n") }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { markup += literal }
        mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
        mutating func appendInterpolation(_ number: some BinaryInteger) { markup += String(number) }

        /// Escaped for text and for quoted attribute values alike.
        mutating func appendInterpolation(_ text: String) { markup += Markup.escape(text) }
    }
}
