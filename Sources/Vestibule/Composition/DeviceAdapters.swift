import Accounts
import Devices
import Kernel
import Tokens

/// Seals push tokens with the house's keys; the key's name stands before what it sealed.
struct PushTokenSealAdapter: PushTokenSealing {
    let sealer: Sealer

    func seal(_ token: Secret, for device: DeviceID) throws -> String {
        let sealed = try sealer.seal(Array(token.expose().utf8), as: "push-token \(device)")
        return "\(sealer.currentKey).\(Base64URL.encode(sealed))"
    }
}

/// Tells owners of new keys by mail.
struct DeviceKeyNoticesAdapter: DeviceKeyNotices {
    let accounts: any AccountStore
    let mailer: any Mailer
    /// What people are told that a client is called, by its id.
    let services: [String: String]

    func keyWasSet(
        of account: AccountID,
        client: String,
        isReplacement: Bool,
        language: String,
        in transaction: borrowing Transaction
    ) throws {
        guard let address = try accounts.profile(account, in: transaction)?.email else { return }
        let mail = AccountMail(
            to: address,
            language: language,
            service: services[client] ?? client,
            content: .notice(isReplacement ? .deviceKeyReplaced : .deviceKeyAdded)
        )
        do { try mailer.enqueue(mail, in: transaction) } catch MailRefusal.unmailableAddress {
            // Nobody can be told there, now or later.
        } catch MailRefusal.queueFull {
            // Without the notice there is no key: who fills the queue must not hide behind it.
            throw StoreFailure.unavailable(cause: "the mail queue is full")
        }
    }
}
