/// Parameters as the query of an address has them (RFC 3986 §3.4), and as a form's body has them (WHATWG URL §5.2).
package enum QueryText {
    package static func text(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(PercentEncoding.component($0.0))=\(PercentEncoding.component($0.1))" }
            .joined(separator: "&")
    }

    /// Returns the address with the parameters after its query, and the existing text byte for byte.
    ///
    /// `address`: An address without a fragment.
    package static func add(_ parameters: [(String, String)], to address: String) -> String {
        let joint =
            switch (address.utf8.contains(UInt8(ascii: "?")), address.utf8.last) {
            case (false, _): "?"
            case (true, UInt8(ascii: "?")), (true, UInt8(ascii: "&")): ""
            case (true, _): "&"
            }
        return address + joint + text(parameters)
    }

    /// Returns the parameters in their order, still encoded, and an empty value for a parameter without `=`.
    ///
    /// The text is split by bytes, as WHATWG URL §5.1 does: a mark that combines with a `&` does not hide it.
    package static func pairs(_ text: String) -> [(name: Substring, value: Substring)] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (Substring(parts[0]), parts.count == 2 ? Substring(parts[1]) : "")
        }
    }

    /// Decodes `%XX`, and a plus as a space.
    ///
    /// A `%` without two hexadecimal digits stays as it is.
    package static func decode(_ text: Substring) -> String {
        var rest = text.utf8[...]
        guard rest.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
                bytes.append(digits.count == 2 ? UInt8(digits[0] << 4 | digits[1]) : byte)
                if digits.count == 2 { rest = rest.dropFirst(2) }
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
