/// Writes parameters behind an address (RFC 3986 §3.4).
enum QueryText {
    /// Values are written with all but the unreserved characters encoded (RFC 3986 §2.3).
    static func add(_ parameters: [(String, String)], to address: String) -> String {
        let query = parameters.map { "\($0.0)=\(encode($0.1))" }.joined(separator: "&")
        guard address.contains("?") else { return "\(address)?\(query)" }
        return address.hasSuffix("?") || address.hasSuffix("&") ? address + query : "\(address)&\(query)"
    }

    private static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
