internal import CryptoExtras
internal import FoundationEssentials
internal import Kernel

/// An RSA public key (RFC 8017 §3.1) of 2048 to 8192 bits.
package struct RSAPublicKey: Sendable {
    package static let allowedBits = 2048...8192
    /// FIPS 186-5 §A.1.1 requires more than 2¹⁶, and the crypto library accepts at most 33 bits.
    private static let allowedExponents: ClosedRange<UInt64> = 65_537...(1 << 33) - 1

    /// Big-endian, without leading zeros.
    package let modulus: [UInt8]
    package let exponent: [UInt8]
    private let key: _RSA.Signing.PublicKey

    package init(modulus: [UInt8], exponent: [UInt8]) throws(COSEKeyError) {
        guard let first = modulus.first, first != 0, exponent.first != 0, exponent.count <= 8 else { throw .rsaNumbers }
        guard Self.allowedBits.contains(modulus.count * 8 - first.leadingZeroBitCount) else { throw .modulusSize }
        let number = exponent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard modulus.last.map({ $0 & 1 == 1 }) == true, Self.allowedExponents.contains(number), number & 1 == 1,
            !ROCAFingerprint.isPresent(in: modulus), let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
        else { throw .rsaNumbers }
        self.modulus = modulus
        self.exponent = exponent
        self.key = key
    }

    var subjectPublicKeyInfo: [UInt8] { Array(key.derRepresentation) }

    /// Whether the key made `signature` over `first` with `second` behind it; `signature` must be as long as the
    /// modulus.
    func verifies(_ signature: [UInt8], by scheme: RSAScheme, over first: [UInt8], _ second: [UInt8]) -> Bool {
        signature.count == modulus.count && scheme.verifies(signature, by: key, over: first, second)
    }
}
