package import Kernel

/// What a server asks to begin in a person's name, whom it is not in touch with by this channel (CIBA Core §7).
package struct BeginBackchannelOperation: Sendable {
    package let id: OperationRowID
    /// SHA-256 of the id that the server polls with.
    package let publicID: Digest256
    /// The ticket of the landing page.
    package let ticket: Secret
    package let person: Person
    /// Its page always asks, whatever the client's other logins do.
    package let policy: ClientPolicy
    /// What the server proves itself with when it collects: nobody else does.
    package let proof: Digest256
    /// What the page shows beside the name of the client.
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

    /// Whom the server means.
    package enum Person: Sendable, Equatable {
        case email(String)
        case account(AccountID)

        /// As the page shows it to whoever opens the link.
        fileprivate var masked: String {
            switch self {
            case .email(let typed): MaskedEmail.mask(typed)
            // Who knows an account by its id has not typed an address that could be shown.
            case .account: ""
            }
        }
    }
}

extension OperationService {
    /// Begins a login that a server asks for, or a decoy that looks the same to it.
    ///
    /// Whom nobody knows, who is blocked, and who has no face enrolled get a decoy, and so does for a while who has said of a
    /// request of this very client "This wasn't me". Durable when it returns, together with what `within` writes; no provider
    /// is called. Each client has a budget of its own, in all and for each person, and is kept quiet by itself: none uses up
    /// another's, or that of the person's own apps.
    /// - Throws: ``LimitExceededError``; ``StoreError``; what `within` throws.
    package func begin(
        _ command: BeginBackchannelOperation,
        within: @escaping @Sendable (borrowing Transaction) throws -> Void
    ) async throws -> Operation {
        let source = limits.source(ofClient: command.policy.clientID)
        if let wait = limits.take(.backchannelPerClient, source) { throw refuse(.backchannelPerClient, wait) }
        if let wait = limits.takeStart(email: budget(of: command)) { throw refuse(.initiatePerAccount, wait) }
        let account = try await named(command.person)
        let now = clock.now
        let provider = loginProvider
        do {
            let (operation, isQuiet) = try await unitOfWork.run { [store, subjects, limits] transaction in
                let subject = try account ?? Self.subject(of: command, at: provider, among: subjects, in: transaction)
                let isQuiet = limits.isQuiet(source, client: command.policy.clientID, account: subject ?? Self.nobody)
                let operation = Operation(
                    command,
                    account: isQuiet ? nil : subject,
                    provider: provider,
                    createdAt: now
                )
                try store.insert(operation, in: transaction)
                try within(transaction)
                return (operation, isQuiet)
            }
            metrics.began()
            refusals.count(.begun)
            if operation.isDecoy { refusals.note(isQuiet ? .quiet : .decoy, operation) }
            cache.put(operation, source: source)
            follow(operation)
            return operation
        } catch let failure as StoreError {
            // The row may be durable all the same, and what nobody follows would never end.
            if case .unavailable = failure {
                noteUncertainStart(command.publicID, command.id, deadline: now + command.policy.lifetime)
            }
            throw failure
        }
    }

    private func budget(of command: BeginBackchannelOperation) -> String {
        switch command.person {
        case .email(let typed): "\(command.policy.clientID)\n\(subjects.normalised(typed))"
        case .account(let account): "\(command.policy.clientID)\n\(account)"
        }
    }

    /// The account that is named by its id, if it can be signed in.
    private func named(_ person: BeginBackchannelOperation.Person) async throws -> AccountID? {
        guard case .account(let account) = person,
            try await subjects.enrolment(of: account, at: loginProvider) != nil
        else { return nil }
        return account
    }

    /// Who has the address; the same is read for every one, and also where an account was named that is nobody's.
    private static func subject(
        of command: BeginBackchannelOperation,
        at provider: ProviderName,
        among subjects: any LoginSubjects,
        in transaction: borrowing Transaction
    ) throws -> AccountID? {
        guard case .email(let email) = command.person else { return nil }
        let query = SubjectQuery(email: email, provider: provider, policy: command.policy, deviceCookies: [])
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
            publicID: command.publicID,
            ticket: Digest256(sha256: command.ticket.expose()),
            account: account,
            device: nil,
            provider: provider,
            policy: command.policy,
            codeChallenge: command.proof,
            bindingCookie: command.proof,
            createdAt: createdAt,
            binding: OperationBinding(
                origin: LoginOrigin(email: command.person.masked, address: "", agent: "", message: command.message)
            )
        )
    }
}
