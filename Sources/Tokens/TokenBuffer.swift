/// The bytes of a compact token while it is written (RFC 7515 §7.1).
///
/// Kernel's `Base64URL` creates a new string for each encoded sequence. This buffer is written directly, three bytes at
/// a time, because every login waits for two tokens.
struct TokenBuffer {
    private(set) var bytes: [UInt8]

    init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    mutating func append(_ part: [UInt8]) { bytes.append(contentsOf: part) }

    mutating func appendDot() { bytes.append(UInt8(ascii: ".")) }

    mutating func append(base64URL input: [UInt8]) {
        let whole = input.count - input.count % 3
        var index = 0
        while index < whole {
            append(group: UInt32(input[index]) << 16 | UInt32(input[index + 1]) << 8 | UInt32(input[index + 2]), 4)
            index += 3
        }
        switch input.count - whole {
        case 1: append(group: UInt32(input[whole]) << 16, 2)
        case 2: append(group: UInt32(input[whole]) << 16 | UInt32(input[whole + 1]) << 8, 3)
        default: break
        }
    }

    /// The token, which is ASCII only.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    private mutating func append(group: UInt32, _ digits: UInt32) {
        for digit in 0..<digits { bytes.append(Self.alphabet[Int(group >> (18 - 6 * digit) & 0x3F)]) }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
