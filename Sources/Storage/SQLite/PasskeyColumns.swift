import Kernel
import Passkeys

/// The columns of a passkey, in one order.
enum PasskeyColumns {
    static let selected = """
        id, credential, account, user_handle, rp_id, public_key, sign_count, is_backup_eligible, is_backed_up,
        was_user_verified, transports, aaguid, attestation_format, attestation_type, is_attestation_trusted,
        is_discoverable, label, created_at, last_used_at, clone_signs
        """

    static func values(of passkey: Passkey) -> [ColumnValue] {
        [
            passkey.id.column, .bytes(passkey.credential.bytes), passkey.account.column, .bytes(passkey.userHandle),
            passkey.rpID.column, .bytes(passkey.publicKey), passkey.signCount.column,
            passkey.isBackupEligible.column, passkey.isBackedUp.column, passkey.wasUserVerified.column,
            passkey.transports.joined(separator: " ").column, .bytes(passkey.aaguid.bytes),
            passkey.attestation.format.column, passkey.attestation.type.rawValue.column,
            passkey.attestation.isTrusted.column, passkey.isDiscoverable.column(\.column), passkey.label.column,
            passkey.createdAt.column, passkey.lastUsedAt.column(\.column), passkey.cloneSigns.column,
        ]
    }

    static func read(_ columns: inout ColumnReader) throws -> Passkey {
        Passkey(
            id: try columns.id(),
            credential: CredentialID(try columns.bytes()),
            account: try columns.id(),
            userHandle: try columns.bytes(),
            rpID: try columns.text(),
            publicKey: try columns.bytes(),
            signCount: try signCount(&columns),
            isBackupEligible: try columns.integer() == 1,
            isBackedUp: try columns.integer() == 1,
            wasUserVerified: try columns.integer() == 1,
            transports: try columns.text().split(separator: " ").map(String.init),
            aaguid: try aaguid(&columns),
            attestation: KnownAttestation(
                format: try columns.text(),
                type: try columns.value(),
                isTrusted: try columns.integer() == 1
            ),
            isDiscoverable: columns.optionalInteger().map { $0 == 1 },
            label: try columns.text(),
            createdAt: try columns.instant(),
            lastUsedAt: columns.optionalInstant(),
            cloneSigns: try columns.integer()
        )
    }

    private static func signCount(_ columns: inout ColumnReader) throws -> UInt32 {
        guard let count = UInt32(exactly: try columns.integer()) else {
            throw StoreFailure.corrupt(cause: "column sign_count can't be read")
        }
        return count
    }

    private static func aaguid(_ columns: inout ColumnReader) throws -> AAGUID {
        guard let aaguid = AAGUID(try columns.bytes()) else {
            throw StoreFailure.corrupt(cause: "column aaguid can't be read")
        }
        return aaguid
    }
}
