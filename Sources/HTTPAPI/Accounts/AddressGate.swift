import Accounts
import Hummingbird
import Kernel
import Operations

/// Limits requests by the network address that they come from, and mails by the mailbox that they go to.
struct AddressGate: Sendable {
    let service: OperationService
    let addresses: ClientAddresses

    /// Counts a request of this address against the limit.
    /// - Throws: ``LimitExceededError``, ``StoreError``.
    func admit(_ limit: Limit, for request: Request, in context: APIContext) async throws {
        try await service.admit(
            limit,
            from: service.limits.source(of: addresses.client(of: request, context)?.counted.bytes ?? [])
        )
    }

    /// Counts a proof mail against the request's address, and returns the check of the mailbox's own limit.
    ///
    /// Reaching the mailbox's limit refuses nothing: only the mail is not sent. Otherwise an attacker could keep the
    /// mailbox's owner from opening an account, and the refusal would tell which addresses get mail.
    ///
    /// Where the limit is counted in the database, the mailbox's turn is taken at once, whether a mail will be sent or
    /// not: an answer that takes longer only with a mail would tell that too.
    /// - Throws: ``LimitExceededError``, ``StoreError``.
    func admitProofMail(
        to email: EmailAddress,
        for request: Request,
        in context: APIContext
    ) async throws -> MailboxTurn {
        try await admit(.proofMailsPerAddress, for: request, in: context)
        return try await mailboxTurn(of: email)
    }

    /// Returns the turn of a mail to an address that its owner has not proved.
    func mailboxTurn(of email: EmailAddress) async throws -> MailboxTurn {
        let mailbox = service.limits.source(ofMailbox: email.mailbox)
        if let isAdmitted = try await service.admitCommonProofMail(to: mailbox) { return MailboxTurn { isAdmitted } }
        return MailboxTurn { [service] in service.admitProofMailHere(to: mailbox) }
    }
}
