import Accounts
import Devices
import Kernel
import Passkeys

/// Tells owners by mail of new keys, credentials and passkeys.
struct OwnerNoticesAdapter: DeviceNotices, PasskeyNotices {
    let notices: OwnerNotices

    func tell(
        _ notice: DeviceNotice,
        of account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws {
        let notice: AccountNotice =
            switch notice {
            case .keyAdded: .deviceKeyAdded
            case .keyReplaced: .deviceKeyReplaced
            case .credentialAdded: .deviceAdded
            case .credentialReplaced: .deviceCredentialReplaced
            }
        try notices.tell(notice, of: account, client: client, language: language, in: transaction)
    }

    func tell(
        _ notice: PasskeyNotice,
        of account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws {
        let notice: AccountNotice =
            switch notice {
            case .added: .passkeyAdded
            case .removed: .passkeyRemoved
            }
        try notices.tell(notice, of: account, client: client, language: language, in: transaction)
    }
}
