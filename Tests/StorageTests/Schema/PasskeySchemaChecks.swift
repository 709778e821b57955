/// The values that the tables of passkeys and their challenges refuse and take.
extension SchemaTests {
    static let passkeyChecks = [
        Check(table: "passkeys", refused: "credential = x''", taken: "credential = zeroblob(1023)"),
        Check(table: "passkeys", refused: "user_handle = zeroblob(65)", taken: "user_handle = x'00'"),
        Check(table: "passkeys", refused: "rp_id = ''", taken: "rp_id = 'login.example.com'"),
        Check(table: "passkeys", refused: "public_key = zeroblob(31)", taken: "public_key = zeroblob(4096)"),
        Check(table: "passkeys", refused: "sign_count = -1", taken: "sign_count = 4294967295"),
        Check(table: "passkeys", refused: "is_backup_eligible = 2", taken: "is_backup_eligible = 1"),
        Check(table: "passkeys", refused: "is_backed_up = -1", taken: "is_backed_up = 0"),
        Check(table: "passkeys", refused: "is_backup_eligible = 0", taken: "is_backup_eligible = 0, is_backed_up = 0"),
        Check(table: "passkeys", refused: "is_user_verified = 2", taken: "is_user_verified = 0"),
        Check(table: "passkeys", refused: "aaguid = zeroblob(15)", taken: "aaguid = randomblob(16)"),
        Check(table: "passkeys", refused: "attestation_format = ''", taken: "attestation_format = 'fido-u2f'"),
        Check(table: "passkeys", refused: "attestation_type = 'ecdaa'", taken: "attestation_type = 'anonca'"),
        Check(table: "passkeys", refused: "is_attestation_trusted = 2", taken: "is_attestation_trusted = 1"),
        Check(table: "passkeys", refused: "attestation_doubt = ''", taken: "attestation_doubt = 'metadata_overdue'"),
        Check(table: "passkeys", refused: "serial_number = zeroblob(65)", taken: "serial_number = zeroblob(64)"),
        Check(table: "passkeys", refused: "is_discoverable = 2", taken: "is_discoverable = NULL"),
        Check(table: "passkeys", refused: tooLong("label"), taken: "label = 'phone'"),
        Check(table: "passkeys", refused: "counts_from = created_at - 1", taken: "counts_from = created_at + 1"),
        Check(
            table: "passkeys",
            refused: "transports = '\(String(repeating: "x", count: 601))'",
            taken: "transports = 'nfc usb'"
        ),
        Check(table: "passkey_challenges", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "passkey_challenges", refused: "binding = zeroblob(31)", taken: "binding = randomblob(32)"),
        Check(table: "passkey_challenges", refused: "source = x''", taken: "source = randomblob(32)"),
        Check(table: "passkey_challenges", refused: "rp_id = ''", taken: "rp_id = 'login.example.com'"),
        Check(
            table: "passkey_challenges",
            refused: "user_verification = 'no'",
            taken: "user_verification = 'discouraged'"
        ),
        Check(table: "passkey_challenges", refused: "purpose = 'other'", taken: "purpose = 'registration'"),
        Check(table: "passkey_challenges", refused: "name = ''", taken: "name = 'eve'"),
        Check(table: "passkey_challenges", refused: "name = NULL", taken: "name = 'mallory'"),
        Check(table: "passkey_challenges", refused: "user_handle = x''", taken: "user_handle = zeroblob(64)"),
        Check(table: "passkey_challenges", refused: "algorithms = ''", taken: "algorithms = '-7 -257'"),
        Check(table: "passkey_challenges", refused: "resident_key = 'yes'", taken: "resident_key = 'required'"),
        Check(table: "passkey_challenges", refused: "attestation = 'some'", taken: "attestation = 'enterprise'"),
        Check(
            table: "passkey_challenges",
            refused: "resident_key = NULL",
            taken: """
                purpose = 'authentication', user_handle = NULL, algorithms = NULL, resident_key = NULL, attestation = NULL
                """
        ),
    ]
}
