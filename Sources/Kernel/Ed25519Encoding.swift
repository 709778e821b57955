/// Checks the 32 bytes of an Ed25519 public key before the crypto library gets them (RFC 8032 §5.1.5).
///
/// The library accepts any 32 bytes. Under a key of small order some signatures are valid for every message, so that
/// such a key proves no possession. This matters for passkeys, client assertions (RFC 7523 §3) and holders of bound
/// tokens (RFC 9449 §4.3). RFC 7748 §7 says where such points come from.
package enum Ed25519Encoding {
    /// Returns whether the bytes are the only encoding of a number below the prime (RFC 8032 §5.1.3 step 1), and of no
    /// point of small order.
    ///
    /// Whether they are on the curve is left to the library: a key off the curve verifies no signature.
    package static func isUsable(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 32 else { return false }
        var y = bytes
        // The highest bit is the sign of x.
        y[31] &= 0x7F
        return !isUnreduced(y) && !smallOrder.contains(y)
    }

    /// Whether `y` is 2²⁵⁵ - 19 or one of the eighteen numbers above.
    ///
    /// These encode 0 to 18 again, and would give one key a second thumbprint.
    private static func isUnreduced(_ y: [UInt8]) -> Bool {
        y[0] >= 0xED && y[31] == 0x7F && y[1..<31].allSatisfy { $0 == 0xFF }
    }

    /// The `y` of the eight points whose order divides eight.
    private static let smallOrder: Set<[UInt8]> = [
        [0] + Array(repeating: 0, count: 31),
        [1] + Array(repeating: 0, count: 31),
        [0xEC] + Array(repeating: 0xFF, count: 30) + [0x7F],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F, 0x2A, 0x20,
            0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0, 0xD5, 0xDF,
            0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
    ]
}
