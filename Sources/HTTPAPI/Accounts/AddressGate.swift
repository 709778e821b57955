import Accounts
import Hummingbird
import Operations

/// Limits requests by the network address that they come from, and mails by the mailbox that they go to.
struct AddressGate: Sendable {
    let service: OperationService
    let addresses: ClientAddresses

    /// Counts a request of this address against the limit.
    /// - Throws: ``LimitExceededError``.
    func admit(_ limit: Limit, for request: Request, in context: APIContext) throws(LimitExceededError) {
        try service.admit(
            limit,
            from: service.limits.source(of: addresses.client(of: request, context)?.counted.bytes ?? [])
        )
    }

    /// Counts a proof mail against the request's address, and returns the check of the mailbox's own limit.
    ///
    /// Reaching the mailbox's limit refuses nothing: only the mail is not sent. Otherwise an attacker could keep the
    /// mailbox's owner from opening an account, and the refusal would tell which addresses get mail.
    /// - Throws: ``LimitExceededError``.
    func admitProofMail(
        to email: EmailAddress,
        for request: Request,
        in context: APIContext
    ) throws(LimitExceededError) -> MailboxTurn {
        try admit(.proofMailsPerAddress, for: request, in: context)
        return MailboxTurn { [service] in
            let source = service.limits.source(ofMailbox: email.mailbox)
            do { try service.admit(.proofMailsPerMailbox, from: source) } catch { return false }
            return true
        }
    }
}
