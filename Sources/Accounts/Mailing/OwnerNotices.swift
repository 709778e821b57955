package import Kernel

/// Tells owners by mail what happened to their account.
package struct OwnerNotices: Sendable {
    private let store: any AccountStore
    private let mailer: any Mailer
    /// Returns the name that a mail gives to a client: the operator's, or the owner's.
    ///
    /// No mail repeats the name that a registered client claims.
    private let service: @Sendable (_ client: String) -> String

    package init(
        store: any AccountStore,
        mailer: any Mailer,
        service: @escaping @Sendable (_ client: String) -> String
    ) {
        self.store = store
        self.mailer = mailer
        self.service = service
    }

    /// Sends the notice to the account's address, if it is verified, in the caller's unit of work.
    ///
    /// `client`: the client in which the change was made. `requester`: the person who made it.
    ///
    /// - Throws: ``StoreError/unavailable(cause:)`` if the mail queue is full: an attacker must not hide a change by
    ///   filling it.
    package func notify(
        _ notice: AccountNotice,
        of account: AccountID,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws {
        guard let profile = try store.profile(account, in: transaction), profile.isEmailVerified,
            let address = profile.email
        else { return }
        let mail = AccountMail(
            to: address,
            requester: requester,
            service: service(client),
            client: client,
            content: .notice(notice)
        )
        do { try mailer.enqueue(mail, in: transaction) } catch MailError.unmailableAddress {
            // The owner can't be reached at that address, now or later.
        } catch MailError.queueFull {
            throw StoreError.unavailable(cause: "the mail queue is full")
        }
    }
}
