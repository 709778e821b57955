/// A TPM's description of one of its keys: TPMT_PUBLIC (TPM 2.0 Library, part 2 §12.2.4).
struct TPMPublicArea: Equatable {
    /// The parts of `parameters` and `unique` that identify the key.
    enum Key: Equatable {
        /// The modulus is big-endian, as it was sent.
        case rsa(modulus: [UInt8], exponent: UInt32)
        case ellipticCurve(curve: UInt16, x: [UInt8], y: [UInt8])
    }

    /// The hash in the key's name (`nameAlg`), as a TPM_ALG_ID.
    let nameAlgorithm: UInt16
    let key: Key

    /// Reads the structure; `nil` for any other bytes, and for keys that are neither RSA nor elliptic-curve.
    ///
    /// The attributes are ignored, as WebAuthn does: a key that was imported (`fixedTPM` unset) is attested too.
    init?(_ bytes: [UInt8]) {
        var reader = TPMReader(bytes)
        guard let type = reader.uint16(), let nameAlgorithm = reader.uint16(),
            reader.uint32() != nil,  // objectAttributes
            reader.sized() != nil,  // authPolicy
            let key = Self.key(type, &reader), reader.isAtEnd
        else { return nil }
        self.nameAlgorithm = nameAlgorithm
        self.key = key
    }

    private static func key(_ type: UInt16, _ reader: inout TPMReader) -> Key? {
        switch type {
        case Algorithm.rsa: rsa(&reader)
        case Algorithm.ellipticCurve: ellipticCurve(&reader)
        default: nil
        }
    }

    /// Reads TPMS_RSA_PARMS (§12.2.3.5) and TPM2B_PUBLIC_KEY_RSA.
    private static func rsa(_ reader: inout TPMReader) -> Key? {
        guard skipSymmetric(&reader), skipScheme(&reader), let bits = reader.uint16(), let exponent = reader.uint32(),
            let modulus = reader.sized(), modulus.count * 8 == Int(bits)
        else { return nil }
        return .rsa(modulus: modulus, exponent: exponent == 0 ? defaultExponent : exponent)
    }

    /// Reads TPMS_ECC_PARMS (§12.2.3.6) and TPMS_ECC_POINT.
    private static func ellipticCurve(_ reader: inout TPMReader) -> Key? {
        guard skipSymmetric(&reader), skipScheme(&reader), let curve = reader.uint16(), skipScheme(&reader),
            let x = reader.sized(), let y = reader.sized()
        else { return nil }
        return .ellipticCurve(curve: curve, x: x, y: y)
    }

    /// Skips TPMT_SYM_DEF_OBJECT (§11.1.7), and the key bits and mode that follow a named algorithm.
    private static func skipSymmetric(_ reader: inout TPMReader) -> Bool {
        guard let algorithm = reader.uint16() else { return false }
        return algorithm == Algorithm.null || reader.bytes(4) != nil
    }

    /// Skips TPMT_RSA_SCHEME, TPMT_ECC_SCHEME or TPMT_KDF_SCHEME (§11.2), and the hash that follows most schemes.
    private static func skipScheme(_ reader: inout TPMReader) -> Bool {
        guard let scheme = reader.uint16() else { return false }
        switch scheme {
        case Algorithm.null, Algorithm.rsaES: return true
        // A count follows the hash.
        case Algorithm.ecdaa: return reader.bytes(4) != nil
        default: return reader.bytes(2) != nil
        }
    }

    /// The RSA exponent that 0 stands for (§12.2.3.5).
    private static let defaultExponent: UInt32 = 65_537

    /// TPM_ALG_ID (§6.3).
    private enum Algorithm {
        static let rsa: UInt16 = 0x0001
        static let null: UInt16 = 0x0010
        static let rsaES: UInt16 = 0x0015
        static let ecdaa: UInt16 = 0x001A
        static let ellipticCurve: UInt16 = 0x0023
    }
}
