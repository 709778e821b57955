import Kernel
import Passkeys

/// The columns of a passkey, in the order of their values.
enum PasskeyColumns: RowColumns {
    static let table: StaticString = "passkeys"
    static let selected = """
        id, credential, account, user_handle, rp_id, public_key, sign_count, is_backup_eligible, is_backed_up,
        is_user_verified, transports, aaguid, attestation_format, attestation_type, is_attestation_trusted,
        attestation_doubt, serial_number, is_discoverable, label, created_at, counts_from, last_used_at, clone_signs
        """

    static func values(of passkey: Passkey) -> [ColumnValue] {
        let record = passkey.credential.record
        return [
            passkey.id.column, .bytes(record.id.bytes), passkey.account.column, .bytes(passkey.credential.userHandle),
            passkey.rpID.column, .bytes(record.publicKey.bytes), record.signCount.column,
            record.backup.isEligible.column, record.backup.isBackedUp.column, record.isUserVerified.column,
            record.authenticator.transports.spaced.column, .bytes(record.authenticator.aaguid.bytes),
            record.attestation.format.column, record.attestation.type.rawValue.column,
            record.attestation.isTrusted.column, record.attestation.doubt.column(\.column),
            record.attestation.serialNumber.column(ColumnValue.bytes), record.isDiscoverable.column(\.column),
            passkey.label.column,
            passkey.createdAt.column, passkey.countsFrom.column, passkey.lastUsedAt.column(\.column),
            passkey.cloneSigns.column,
        ]
    }

    static func read(_ columns: inout ColumnReader) throws -> Passkey {
        Passkey(
            id: try columns.id("id"),
            account: try columns.id("account"),
            rpID: try columns.text("rp_id"),
            credential: OwnedCredential(try record(&columns), userHandle: try columns.bytes("user_handle")),
            label: try columns.text("label"),
            createdAt: try columns.instant("created_at"),
            countsFrom: try columns.instant("counts_from"),
            lastUsedAt: try columns.optionalInstant("last_used_at"),
            cloneSigns: try columns.integer("clone_signs")
        )
    }

    private static func record(_ columns: inout ColumnReader) throws -> CredentialRecord {
        let signCount = UInt32(exactly: try columns.integer("sign_count"))
        guard let signCount, let aaguid = AAGUID(try columns.bytes("aaguid")) else {
            throw StoreError.corrupt(cause: "a passkey's row can't be read")
        }
        return CredentialRecord(
            id: CredentialID(try columns.bytes("credential")),
            publicKey: try publicKey(try columns.bytes("public_key")),
            signCount: signCount,
            isUserVerified: try columns.flag("is_user_verified"),
            backup: CredentialRecord.BackupState(
                isEligible: try columns.flag("is_backup_eligible"),
                isBackedUp: try columns.flag("is_backed_up")
            ),
            authenticator: CredentialRecord.Authenticator(aaguid: aaguid, transports: try columns.words("transports")),
            attestation: AttestationRecord(
                format: try columns.text("attestation_format"),
                type: try columns.value("attestation_type"),
                isTrusted: try columns.flag("is_attestation_trusted"),
                doubt: try columns.optionalText("attestation_doubt"),
                serialNumber: try columns.optionalBytes("serial_number")
            ),
            isDiscoverable: try columns.optionalInteger("is_discoverable").map { $0 == 1 }
        )
    }

    private static func publicKey(_ bytes: [UInt8]) throws -> COSEKey {
        do { return try COSEKey(stored: bytes) } catch {
            throw StoreError.corrupt(cause: "a passkey's key can't be read")
        }
    }
}
