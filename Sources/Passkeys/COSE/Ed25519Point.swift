/// Whether 32 bytes are a point that somebody's Ed25519 key can be (RFC 8032 §5.1.3).
///
/// The library takes any 32 bytes as a key and finds out at the first signature. A key of small order is none: there are
/// signatures that hold under it over every message.
enum Ed25519Point {
    /// On the curve, in its one encoding, and not of small order.
    static func isGood(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 32 else { return false }
        var encoding = bytes
        // The highest bit is the sign of x; what is left is y.
        encoding[31] &= 0x7F
        let y = FieldElement(littleEndian: encoding)
        guard y.isReduced, !smallOrder.contains(encoding) else { return false }
        // x² = (y² - 1) / (d y² + 1): a quotient is a square when the product is (Euler's criterion).
        let square = y * y
        let numerator = square - .one
        let denominator = d * square + .one
        let symbol = (numerator * denominator).raised(toHalfOfPMinusOne: ())
        return symbol == .one || symbol == .zero
    }

    /// -121665/121666.
    private static let d = FieldElement([
        0x75EB_4DCA_1359_78A3, 0x0070_0A4D_4141_D8AB, 0x8CC7_4079_7779_E898, 0x5203_6CEE_2B6F_FE73,
    ])

    /// The `y` of the eight points whose order divides eight.
    private static let smallOrder: [[UInt8]] = [
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
