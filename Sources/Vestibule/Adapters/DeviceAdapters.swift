import Accounts
import Devices
import Kernel
import Tokens

/// Seals push tokens with the house's keys; the key's name stands before what it sealed.
struct PushTokenSealAdapter: PushTokenSealing {
    let sealer: Sealer

    func seal(_ token: Secret, for device: DeviceID) throws -> String {
        let sealed = try sealer.seal(Array(token.expose().utf8), as: Self.context(of: device))
        return "\(sealer.currentKey).\(Base64URL.encode(sealed))"
    }

    static func context(of device: DeviceID) -> String { "push-token \(device)" }
}

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
        try notices.tell(
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
        try notices.tell(.deviceAdded, of: account, client: client, language: language, in: transaction)
    }

    func credentialWasReplaced(
        of account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws {
        try notices.tell(
            .deviceCredentialReplaced,
            of: account,
            client: client,
            language: language,
            in: transaction
        )
    }
}
