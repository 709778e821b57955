import Accounts
import Devices
import Kernel
import Passkeys

/// Mails account owners about new keys, credentials and passkeys.
struct OwnerNoticesAdapter: DeviceNotices, PasskeyNotices {
    let notices: OwnerNotices

    func notify(
        _ notice: DeviceNotice,
        of account: AccountID,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws {
        let notice: AccountNotice =
            switch notice {
            case .keyAdded: .deviceKeyAdded
            case .keyReplaced: .deviceKeyReplaced
            case .credentialAdded: .deviceAdded
            case .credentialReplaced: .deviceCredentialReplaced
            }
        try notices.notify(notice, of: account, client: client, requester: requester, in: transaction)
    }

    func notify(
        _ notice: PasskeyNotice,
        of account: AccountID,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws {
        let notice: AccountNotice =
            switch notice {
            case .added: .passkeyAdded
            case .removed: .passkeyRemoved
            }
        try notices.notify(notice, of: account, client: client, requester: requester, in: transaction)
    }
}
