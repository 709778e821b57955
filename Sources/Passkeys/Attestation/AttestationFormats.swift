/// The attestation formats that are verified (WebAuthn L3 §8).
package enum AttestationFormats {
    /// All formats at their strictest: only Android keys in secure hardware, and no SHA-1 from TPMs.
    package static let all = formats(androidKeys: .hardware, tpmSignatures: .sha2)

    /// Returns all formats, which accept these keys of Android and these signatures of TPMs.
    package static func formats(
        androidKeys: AndroidKeyFormat.Keys,
        tpmSignatures: TPMFormat.Signatures = .sha2
    ) -> [any AttestationFormat] {
        [
            NoneFormat(), PackedFormat(), TPMFormat(tpmSignatures), AndroidKeyFormat(androidKeys), AppleFormat(),
            FIDOU2FFormat(),
        ]
    }

    /// Returns the clause of WebAuthn L3 for the verification of a format.
    static func clause(of identifier: String) -> String {
        switch identifier {
        case "packed": "§8.2"
        case "tpm": "§8.3"
        case "android-key": "§8.4"
        case "fido-u2f": "§8.6"
        case "none": "§8.7"
        case "apple": "§8.8"
        default: "§8"
        }
    }
}
