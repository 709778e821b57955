import Kernel

/// Makes the credential that a response with a decoy's id is checked against.
enum DecoyOwner {
    /// Returns a credential that is checked like any other, although the sign-in always fails.
    ///
    /// `userHandle`: an unpredictable handle, which belongs to no account.
    static func owned(_ id: CredentialID, userHandle: [UInt8], transports: [String]) -> OwnedCredential? {
        guard let key = try? COSEKey(key), let aaguid = AAGUID(Array(repeating: 0, count: 16)) else { return nil }
        let record = CredentialRecord(
            id: id,
            publicKey: key,
            signCount: 0,
            isUserVerified: true,
            backup: CredentialRecord.BackupState(isEligible: transports.contains("hybrid"), isBackedUp: false),
            authenticator: CredentialRecord.Authenticator(aaguid: aaguid, transports: transports),
            attestation: AttestationRecord(format: "none", type: .none, isTrusted: false),
            isDiscoverable: nil
        )
        return OwnedCredential(record, userHandle: userHandle)
    }

    /// The base point of P-256 (SEC 2 §2.4.2) as a key for ES256: a valid key that no passkey has.
    private static let key: [UInt8] =
        [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
        + bytes("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
        + [0x22, 0x58, 0x20]
        + bytes("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
