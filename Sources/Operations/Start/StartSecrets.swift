package import Kernel

/// The ids and secrets of a new operation, all in one bucket.
struct StartSecrets: Sendable {
    let publicID: UUIDBits
    let ticket: Secret
    let bindingCookie: Secret
    let row: OperationRowID
    /// The digests by which the secrets are stored.
    let credentials: Operation.Credentials

    init(in bucket: Bucket, _ tagged: TaggedIDs, codeChallenge: Digest256? = nil, environment: Environment) {
        publicID = tagged.makeID(in: bucket, random: environment.randomBytes(16))
        ticket = tagged.makeTicket(in: bucket, random: environment.randomBytes(32))
        bindingCookie = environment.newSecret()
        row = environment.newID(in: bucket)
        credentials = Operation.Credentials(
            publicID: Digest256(sha256: publicID),
            ticket: Digest256(sha256: ticket.expose()),
            bindingCookie: Digest256(sha256: bindingCookie.expose()),
            codeChallenge: codeChallenge
        )
    }

    /// Returns what the initiator gets.
    func begun(_ operation: Operation) -> BegunOperation {
        BegunOperation(publicID: publicID, ticket: ticket, bindingCookie: bindingCookie, operation: operation)
    }
}

extension OperationService {
    /// Whether an operation with a presented id may exist.
    ///
    /// A guess is answered like an unknown id, but costs no read. An id in the cache needs no hash.
    ///
    /// `publicID`: SHA-256 of the id.
    package func mayKnow(_ id: UUIDBits, _ publicID: Digest256) -> Bool {
        if cache.card(publicID) != nil || admission.tagged.isIssued(id) { return true }
        refusals.count(.unknownOperation)
        return false
    }
}
