package import Kernel
package import Passkeys

/// Passkeys to test with: each number gives one of its own, always the same.
package enum PasskeySample {
    package static let now = OperationSample.start

    package static func id(_ number: UInt64) -> PasskeyID { PasskeyID(UUIDBits(high: 0xF, low: number)) }

    /// `isBare`: of an authenticator that says as little as it may.
    package static func passkey(
        _ number: UInt64,
        of account: AccountID,
        credential: CredentialID? = nil,
        madeAfter seconds: Int64 = 0,
        isBare: Bool = false,
        key: COSEKey? = nil
    ) throws -> Passkey {
        Passkey(
            id: id(number),
            account: account,
            rpID: "example.com",
            credential: OwnedCredential(
                CredentialRecord(
                    id: credential ?? CredentialID(Array(repeating: UInt8(truncatingIfNeeded: number), count: 32)),
                    publicKey: try key ?? COSEKey(usualKey),
                    signCount: isBare ? 0 : 7,
                    isUserVerified: !isBare,
                    backup: CredentialRecord.BackupState(isEligible: !isBare, isBackedUp: !isBare),
                    authenticator: CredentialRecord.Authenticator(
                        aaguid: try aaguid(UInt8(truncatingIfNeeded: number)),
                        transports: isBare ? [] : ["internal", "hybrid"]
                    ),
                    attestation: isBare
                        ? AttestationRecord(format: "packed", type: .basic, isTrusted: false, doubt: "metadata_overdue")
                        : AttestationRecord(format: "packed", type: .basic, isTrusted: true, serialNumber: [0, 4, 2]),
                    isDiscoverable: isBare ? nil : true
                ),
                userHandle: Array(repeating: UInt8(truncatingIfNeeded: number), count: isBare ? 1 : 64)
            ),
            label: isBare ? "" : "Ada’s phone",
            createdAt: now + .seconds(seconds),
            countsFrom: now + .seconds(seconds + (isBare ? 3600 : 0)),
            lastUsedAt: isBare ? nil : now + .seconds(seconds + 1)
        )
    }

    /// ML-DSA-65 (1952 bytes), ML-DSA-87 (2592 bytes), and RSA of 8192 bits.
    package static var longKeys: [COSEKey] {
        get throws {
            let modulus: [UInt8] = [0x80] + [UInt8](repeating: 1, count: 1023)
            return [
                try COSEKey(
                    [0xA3, 0x01, 0x07, 0x03, 0x38, 0x30, 0x20, 0x59, 0x07, 0xA0] + Array(repeating: 7, count: 1952)
                ),
                try COSEKey(
                    [0xA3, 0x01, 0x07, 0x03, 0x38, 0x31, 0x20, 0x59, 0x0A, 0x20] + Array(repeating: 7, count: 2592)
                ),
                try COSEKey(
                    [0xA4, 0x01, 0x03, 0x03, 0x38, 0x26, 0x20, 0x59, 0x04, 0x00] + modulus
                        + [0x21, 0x43, 0x01, 0x00, 0x01]
                ),
            ]
        }
    }

    private struct MissingAAGUIDError: Error {}

    private static func aaguid(_ byte: UInt8) throws -> AAGUID {
        guard let aaguid = AAGUID(Array(repeating: byte, count: 16)) else { throw MissingAAGUIDError() }
        return aaguid
    }

    /// The base point of P-256 (SEC 2 §2.4.2), for ES256.
    private static let usualKey: [UInt8] = [
        0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47,
        0xF8,
        0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39,
        0x45,
        0xD8, 0x98, 0xC2, 0x96, 0x22, 0x58, 0x20, 0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB,
        0x4A,
        0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF,
        0x51,
        0xF5,
    ]
}
