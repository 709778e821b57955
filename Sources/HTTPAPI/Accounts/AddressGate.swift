import Accounts
import Hummingbird
import Operations

/// Lets requests in by the address that they come from, and mails out by the mailbox that they go to.
struct AddressGate: Sendable {
    let service: OperationService
    let addresses: ClientAddresses

    /// Takes one from what the limit allows the request's address.
    /// - Throws: ``LimitExceededError``.
    func admit(_ limit: Limit, for request: Request, in context: APIContext) throws(LimitExceededError) {
        try service.admit(
            limit,
            from: service.limits.source(of: addresses.client(of: request, context)?.counted.bytes ?? [])
        )
    }

    /// Takes one from the proof mails that the request's address may cause, and returns the mailbox's turn.
    ///
    /// A mailbox that has had its mails refuses nobody. Else an attacker who fills it would keep its owner from opening
    /// an account, and the refusal would tell which addresses get mail.
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
