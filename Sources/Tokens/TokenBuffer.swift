import Kernel

/// The bytes of a compact token while it is written (RFC 7515 §7.1).
///
/// The parts of a token are encoded into these bytes without strings between them, because every login waits for two
/// tokens.
struct TokenBuffer {
    private(set) var bytes: [UInt8]

    init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    mutating func append(_ part: [UInt8]) { bytes.append(contentsOf: part) }

    mutating func appendDot() { bytes.append(UInt8(ascii: ".")) }

    mutating func append(base64URL input: [UInt8]) {
        let length = Base64URL.encodedLength(of: input.count)
        bytes += [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            Base64URL.write(input, to: buffer)
            count = length
        }
    }

    /// The token, which is ASCII only.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
