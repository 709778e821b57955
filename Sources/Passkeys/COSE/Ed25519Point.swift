internal import Kernel

/// Checks that 32 bytes are a valid Ed25519 public key (RFC 8032 §5.1.3).
///
/// The crypto library accepts any 32 bytes as a key, and fails only at the first signature.
enum Ed25519Point {
    /// Whether the point is on the curve, in its canonical encoding, and not of small order.
    static func isGood(_ bytes: [UInt8]) -> Bool {
        guard Ed25519Encoding.isUsable(bytes) else { return false }
        var encoding = bytes
        // The highest bit is the sign of x; the rest is y.
        encoding[31] &= 0x7F
        let y = FieldElement(littleEndian: encoding)
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
}
