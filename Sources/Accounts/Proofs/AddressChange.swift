package import Kernel

/// An order to give an account another address.
package struct AddressChangeRequest: Sendable {
    package let account: AccountID
    /// The session that asks.
    package let session: SessionID
    package let email: EmailAddress
    /// The tag of the language of the mail.
    package let language: String
    /// The client that the person uses, which the mail names.
    package let client: String

    package init(account: AccountID, session: SessionID, email: EmailAddress, language: String, client: String) {
        self.account = account
        self.session = session
        self.email = email
        self.language = language
        self.client = client
    }
}

extension AddressProofService {
    /// Mails a link to the address, which becomes the account's once it is followed: the same for every address.
    ///
    /// One that is another account's gets none, and all else is done as for any other. An address of the account's own that
    /// is not proven yet gets its link once more. A mailbox whose `turn` it is not gets none either.
    ///
    /// - Throws: ``MailError``, ``StoreError``.
    package func order(_ order: AddressChangeRequest, turn: MailboxTurn) async throws {
        try await unitOfWork.run { transaction in
            let held = try addresses.addresses(of: order.account, in: transaction)
            if !held.contains(where: { $0.address == order.email }) {
                try addresses.claim(order.email, for: order.account, at: environment.now(), in: transaction)
            }
            let mail = link(
                to: order.email,
                of: order.account,
                askedIn: order.session,
                order.language,
                order.client
            )
            let isProven = held.contains { $0.address == order.email && $0.isVerified }
            let isTaken = try addresses.isTaken(order.email, besides: order.account, in: transaction)
            if isTaken || isProven || !turn.isGranted() {
                try mailer.rehearse(mail, in: transaction)
            } else {
                try mailer.enqueue(mail, in: transaction)
            }
        }
    }
}
