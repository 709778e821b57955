import Kernel
import Passkeys

/// The columns of a passkey, in one order.
enum PasskeyColumns {
    static let selected = """
        id, credential, account, user_handle, rp_id, public_key, sign_count, is_backup_eligible, is_backed_up,
        is_user_verified, transports, aaguid, attestation_format, attestation_type, is_attestation_trusted,
        attestation_doubt, serial_number, is_discoverable, label, created_at, last_used_at, clone_signs
        """

    static func values(of passkey: Passkey) -> [ColumnValue] {
        let record = passkey.record
        return [
            passkey.id.column, .bytes(record.id.bytes), passkey.account.column, .bytes(passkey.userHandle),
            passkey.rpID.column, .bytes(record.publicKey.bytes), record.signCount.column,
            record.isBackupEligible.column, record.isBackedUp.column, record.isUserVerified.column,
            record.transports.joined(separator: " ").column, .bytes(record.aaguid.bytes),
            record.attestation.format.column, record.attestation.type.rawValue.column,
            record.attestation.isTrusted.column, record.attestation.doubt.column(\.column),
            record.attestation.serialNumber.column(ColumnValue.bytes), record.isDiscoverable.column(\.column),
            passkey.label.column,
            passkey.createdAt.column, passkey.lastUsedAt.column(\.column), passkey.cloneSigns.column,
        ]
    }

    static func read(_ columns: inout ColumnReader) throws -> Passkey {
        let id = try columns.id(PasskeyID.self)
        let credential = CredentialID(try columns.bytes())
        let account = try columns.id(AccountID.self)
        let userHandle = try columns.bytes()
        let rpID = try columns.text()
        let record = try record(credential, &columns)
        return Passkey(
            id: id,
            account: account,
            userHandle: userHandle,
            rpID: rpID,
            record: record,
            label: try columns.text(),
            createdAt: try columns.instant(),
            lastUsedAt: columns.optionalInstant(),
            cloneSigns: try columns.integer()
        )
    }

    private static func record(_ id: CredentialID, _ columns: inout ColumnReader) throws -> CredentialRecord {
        let publicKey = try publicKey(try columns.bytes())
        let signCount = UInt32(exactly: try columns.integer())
        let (isBackupEligible, isBackedUp) = (try columns.integer() == 1, try columns.integer() == 1)
        let isUserVerified = try columns.integer() == 1
        let transports = try columns.text().split(separator: " ").map(String.init)
        let aaguid = AAGUID(try columns.bytes())
        let attestation = AttestationRecord(
            format: try columns.text(),
            type: try columns.value(),
            isTrusted: try columns.integer() == 1,
            doubt: columns.optionalText(),
            serialNumber: try columns.optionalBytes()
        )
        guard let signCount, let aaguid else { throw StoreFailure.corrupt(cause: "a passkey's row can't be read") }
        return CredentialRecord(
            id: id,
            publicKey: publicKey,
            signCount: signCount,
            isUserVerified: isUserVerified,
            transports: transports,
            isBackupEligible: isBackupEligible,
            isBackedUp: isBackedUp,
            aaguid: aaguid,
            attestation: attestation,
            isDiscoverable: columns.optionalInteger().map { $0 == 1 }
        )
    }

    private static func publicKey(_ bytes: [UInt8]) throws -> COSEKey {
        do { return try COSEKey(stored: bytes) } catch {
            throw StoreFailure.corrupt(cause: "a passkey's key can't be read")
        }
    }
}
