package import Kernel

/// A request to change an account's address.
package struct AddressChangeRequest: Sendable {
    package let account: AccountID
    /// The session that requests the change.
    package let session: SessionID
    package let email: EmailAddress
    /// The person behind the request, whom the mail describes.
    package let requester: Requester
    /// The client that the person uses, which the mail names.
    package let client: String

    package init(account: AccountID, session: SessionID, email: EmailAddress, requester: Requester, client: String) {
        self.account = account
        self.session = session
        self.email = email
        self.requester = requester
        self.client = client
    }
}

extension AddressProofService {
    /// Mails a link to the address, which becomes the account's once the link is followed.
    ///
    /// The outcome is the same for every address.
    ///
    /// An address of another account gets no mail, and everything else is done as for any other address. An unverified
    /// address of the account gets its link again. A mailbox whose `turn` is refused gets no mail either.
    ///
    /// - Throws: ``MailError``, ``StoreError``.
    package func requestChange(_ request: AddressChangeRequest, turn: MailboxTurn) async throws {
        try await records.unitOfWork.run { transaction in
            let held = try records.addresses.addresses(of: request.account, in: transaction)
            if !held.contains(where: { $0.address == request.email }) {
                try records.addresses.claim(request.email, for: request.account, at: environment.now(), in: transaction)
            }
            let mail = link(
                to: request.email,
                of: request.account,
                askedIn: request.session,
                request.requester,
                request.client
            )
            let isProven = held.contains { $0.address == request.email && $0.isVerified }
            let isTaken = try records.addresses.isTaken(request.email, besides: request.account, in: transaction)
            if isTaken || isProven || !turn.isGranted() {
                try mails.mailer.rehearse(mail, in: transaction)
            } else {
                try mails.mailer.enqueue(mail, in: transaction)
            }
        }
    }
}
