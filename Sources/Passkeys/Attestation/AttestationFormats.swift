/// The attestation formats that are verified (WebAuthn L3 §8).
package enum AttestationFormats {
    /// All of them at their strictest: of Android, keys that its secure hardware keeps; of TPMs, no SHA-1.
    package static let all = formats(androidKeys: .hardware, tpmSignatures: .sha2)

    /// All of them, with what is good enough of Android and of TPMs.
    package static func formats(
        androidKeys: AndroidKeyFormat.Keys,
        tpmSignatures: TPMFormat.Signatures = .sha2
    ) -> [any AttestationFormat] {
        [
            NoneFormat(), PackedFormat(), TPMFormat(tpmSignatures), AndroidKeyFormat(androidKeys), AppleFormat(),
            FIDOU2FFormat(),
        ]
    }
}
