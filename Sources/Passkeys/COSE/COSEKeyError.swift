/// The reason for refusing a COSE key (RFC 9052 §7).
package enum COSEKeyError: Error, Sendable, Equatable {
    case notCBOR(CBORError)
    /// The value is not a map, or a parameter is missing, of another type, or not allowed by WebAuthn L3 §6.5.1.1.
    case malformed
    /// The algorithm is not verified here, such as Ed448 (-53) and ML-DSA-44 (-48).
    case unsupportedAlgorithm(Int64)
    /// The key's type or curve isn't the algorithm's.
    case mismatch
    /// The point is not on the curve, or of small order, or a coordinate has a different length.
    case notOnCurve
    /// The length of an ML-DSA key is not its algorithm's (FIPS 204 §4, table 2).
    case keyLength
    /// The RSA modulus has fewer than 2048 bits or more than 8192.
    case modulusSize
    /// The modulus is even, has leading zeros or comes from faulty key generation (``ROCAFingerprint``), or the
    /// exponent is unsafe.
    case rsaNumbers

    /// A stable code for programs.
    package var code: String {
        switch self {
        case .notCBOR(let fault): fault.rawValue
        case .malformed: "public_key_malformed"
        case .unsupportedAlgorithm: "public_key_algorithm_unsupported"
        case .mismatch: "public_key_mismatch"
        case .notOnCurve: "public_key_not_on_curve"
        case .keyLength: "public_key_length"
        case .modulusSize: "public_key_modulus_size"
        case .rsaNumbers: "public_key_rsa_numbers"
        }
    }
}
