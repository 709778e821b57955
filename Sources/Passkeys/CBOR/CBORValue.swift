/// A CBOR data item (RFC 8949 §3) of the kinds that WebAuthn carries.
package enum CBORValue: Sendable, Equatable {
    /// Major type 0.
    case unsigned(UInt64)
    /// Major type 1. The value `n` stands for the number `-1 - n`, so that all of these numbers fit.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map(CBORMap)
    case bool(Bool)
    case null

    /// The number; `nil` for another kind, and for a number that does not fit into 64 bits with a sign.
    package var integer: Int64? {
        switch self {
        case .unsigned(let number): Int64(exactly: number)
        case .negative(let number): Int64(exactly: number).map { -1 - $0 }
        case .bytes, .text, .array, .map, .bool, .null: nil
        }
    }

    package var byteString: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    package var textString: String? {
        if case .text(let text) = self { text } else { nil }
    }

    package var elements: [CBORValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var mapping: CBORMap? {
        if case .map(let map) = self { map } else { nil }
    }
}

/// The entries of a CBOR map, in the order in which they were sent, each key once.
package struct CBORMap: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let key: CBORValue
        package let value: CBORValue
    }

    package let entries: [Entry]

    package init(_ entries: [Entry] = []) { self.entries = entries }

    package var count: Int { entries.count }

    package var isEmpty: Bool { entries.isEmpty }

    /// The value under a number: COSE labels parameters with numbers.
    package subscript(label: Int64) -> CBORValue? { entries.first { $0.key.integer == label }?.value }

    /// The value under a text: attestation statements name members with texts.
    package subscript(name: String) -> CBORValue? { entries.first { $0.key.textString == name }?.value }
}
