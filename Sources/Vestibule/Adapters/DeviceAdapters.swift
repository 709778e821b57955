import Accounts
import Devices
import Kernel

/// Tells owners of new keys and credentials by mail.
struct DeviceNoticesAdapter: DeviceNotices {
    let notices: OwnerNotices

    func keyWasSet(
        of account: AccountID,
        client: String,
        isReplacement: Bool,
        language: String,
        in transaction: borrowing Transaction
    ) throws {
        try notices.notify(
            isReplacement ? .deviceKeyReplaced : .deviceKeyAdded,
            of: account,
            client: client,
            language: language,
            in: transaction
        )
    }

    func credentialWasGiven(
        of account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws {
        try notices.notify(.deviceAdded, of: account, client: client, language: language, in: transaction)
    }

    func credentialWasReplaced(
        of account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws {
        try notices.notify(.deviceCredentialReplaced, of: account, client: client, language: language, in: transaction)
    }
}
