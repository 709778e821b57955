/// The reason why bytes are not readable CBOR.
package enum CBORError: String, Error, Sendable, Equatable, CaseIterable {
    /// The input is longer than ``CBORReader/maximumLength``.
    case tooLong = "cbor_too_long"
    /// The input ends within an item.
    case truncated = "cbor_truncated"
    /// More bytes follow the item.
    case trailingBytes = "cbor_trailing_bytes"
    /// Nested deeper than CTAP2 allows.
    case tooDeep = "cbor_too_deep"
    /// A length or number has more bytes than it needs.
    case notShortest = "cbor_not_shortest"
    case indefiniteLength = "cbor_indefinite_length"
    case duplicateKey = "cbor_duplicate_key"
    /// The keys are out of the canonical order, where it is required.
    case keyOrder = "cbor_key_order"
    /// A key is neither a number nor a text.
    case keyType = "cbor_key_type"
    case invalidText = "cbor_invalid_text"
    /// Tags, floating-point numbers, `undefined` and other simple values.
    case unsupported = "cbor_unsupported"
}
