/// The attestation formats that are verified (WebAuthn L3 §8).
package enum AttestationFormats {
    /// All of them; of Android, keys that its secure hardware keeps.
    package static let all = formats(androidKeys: .hardware)

    /// All of them, with Android keys of one sort or the other.
    package static func formats(androidKeys: AndroidKeyFormat.Keys) -> [any AttestationFormat] {
        [
            NoneFormat(), PackedFormat(), TPMFormat(), AndroidKeyFormat(androidKeys), AppleFormat(), FIDOU2FFormat(),
        ]
    }
}
