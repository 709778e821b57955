package import Kernel

/// A server's command to begin a login of a person over the backchannel (CIBA Core §7).
package struct BeginBackchannelOperation: Sendable {
    package let id: OperationRowID
    /// SHA-256 of the id that the server polls with.
    package let publicID: Digest256
    /// The ticket of the landing page.
    package let ticket: Secret
    package let person: Person
    /// The policy, whose page always asks for a confirmation, whatever the client's other logins do.
    package let policy: ClientPolicy
    /// The proof that the server presents when it collects.
    package let proof: Digest256
    /// The message that the page shows next to the client's name.
    package let message: String?

    package init(
        id: OperationRowID,
        publicID: Digest256,
        ticket: Secret,
        person: Person,
        policy: ClientPolicy,
        proof: Digest256,
        message: String?
    ) {
        self.id = id
        self.publicID = publicID
        self.ticket = ticket
        self.person = person
        self.policy = policy
        self.proof = proof
        self.message = message
    }

    /// The person whom the server names.
    package enum Person: Sendable, Equatable {
        case email(String)
        case account(AccountID)

        /// The person's e-mail address, masked for the landing page.
        fileprivate var masked: String {
            switch self {
            case .email(let typed): MaskedEmail.mask(typed)
            // The server named an account by its id, so there is no typed address to show.
            case .account: ""
            }
        }
    }
}

extension OperationService {
    /// Begins a login that a server asks for, or a decoy that looks the same to the server.
    ///
    /// An unknown, blocked or unenrolled person gets a decoy. So does, for a while, a person who said "This wasn't me"
    /// to a request of this client. The operation is durable when the method returns, together with the writes of
    /// `within`. No provider is called.
    ///
    /// Each client has its own budgets, in total and for each person, and is disowned separately. So a client uses up
    /// neither another client's budget nor that of the person's own apps.
    /// - Throws: ``LimitExceededError``, ``StoreError``, and the error of `within`.
    package func begin(
        _ command: BeginBackchannelOperation,
        within: @escaping @Sendable (borrowing Transaction) throws -> Void
    ) async throws -> Operation {
        let source = limits.source(ofClient: command.policy.clientID)
        if let wait = try await limits.take(.backchannelPerClient, source) { throw refuse(.backchannelPerClient, wait) }
        if let wait = try await limits.takeStart(email: budget(of: command)) { throw refuse(.initiatePerAccount, wait) }
        let account = try await named(command.person)
        let now = clock.now
        let provider = providers.login
        do {
            let (operation, isQuiet) = try await ports.unitOfWork.run { [ports, limits] transaction in
                let subject =
                    try account
                    ?? Self.subject(of: command, at: provider, among: ports.accounts.subjects, in: transaction)
                let isQuiet = limits.isQuiet(source, client: command.policy.clientID, account: subject ?? Self.nobody)
                let operation = Operation(command, account: isQuiet ? nil : subject, provider: provider, createdAt: now)
                    .written(by: ports.nodes.node)
                try ports.store.insert(operation, in: transaction)
                try within(transaction)
                return (operation, isQuiet)
            }
            take(begun: operation, from: source, isQuiet: isQuiet)
            return operation
        } catch let failure as StoreError {
            let deadline = now + command.policy.timing.lifetime
            throw noteFailedStart(failure, of: command.publicID, command.id, deadline: deadline)
        }
    }

    private func budget(of command: BeginBackchannelOperation) -> String {
        switch command.person {
        case .email(let typed): "\(command.policy.clientID)\n\(ports.accounts.subjects.normalised(typed))"
        case .account(let account): "\(command.policy.clientID)\n\(account)"
        }
    }

    /// Returns the account that is named by its id, if a scan can sign it in.
    private func named(_ person: BeginBackchannelOperation.Person) async throws -> AccountID? {
        guard case .account(let account) = person,
            try await ports.accounts.subjects.enrolment(of: account, at: providers.login) != nil
        else { return nil }
        return account
    }

    /// Returns the account with the e-mail address, with the same reads for every address.
    private static func subject(
        of command: BeginBackchannelOperation,
        at provider: ProviderName,
        among subjects: any LoginSubjects,
        in transaction: borrowing Transaction
    ) throws -> AccountID? {
        guard case .email(let email) = command.person else { return nil }
        let query = SubjectQuery(
            email: email,
            provider: provider,
            policy: command.policy,
            deviceProof: DeviceProof(cookies: [])
        )
        return try subjects.subject(for: query, in: transaction).subject?.account
    }
}

extension Operation {
    fileprivate init(
        _ command: BeginBackchannelOperation,
        account: AccountID?,
        provider: ProviderName,
        createdAt: Instant
    ) {
        self.init(
            id: command.id,
            credentials: Operation.Credentials(
                publicID: command.publicID,
                ticket: Digest256(sha256: command.ticket.expose()),
                bindingCookie: command.proof,
                codeChallenge: command.proof
            ),
            request: Operation.Request(account: account, device: nil, policy: command.policy),
            validity: Operation.Validity(from: createdAt, under: command.policy),
            provider: provider,
            binding: OperationBinding(
                origin: LoginOrigin(email: command.person.masked, address: "", agent: "", message: command.message)
            )
        )
    }
}
