package import Kernel
import Synchronization

/// A client's command to begin a login.
package struct BeginOperation: Sendable, Equatable {
    package let email: String
    package let policy: ClientPolicy
    /// The decoded code challenge.
    package let codeChallenge: Digest256?
    package let deviceProof: DeviceProof
    /// The binding of the operation, still without a pairing number.
    package let binding: OperationBinding
    /// The source of the request, which a person may disown; `nil` for a start that no limit counts.
    package let source: RequestSource?
    /// The condition under which the limit by address admits the start.
    package let admission: StartAdmission
    /// An older login that this one supersedes.
    package let superseding: Superseding?

    package init(
        email: String,
        policy: ClientPolicy,
        codeChallenge: Digest256?,
        deviceProof: DeviceProof,
        binding: OperationBinding = OperationBinding(),
        source: RequestSource? = nil,
        admission: StartAdmission = .free,
        superseding: Superseding? = nil
    ) {
        self.email = email
        self.policy = policy
        self.codeChallenge = codeChallenge
        self.deviceProof = deviceProof
        self.binding = binding
        self.source = source
        self.admission = admission
        self.superseding = superseding
    }
}

/// A new operation with its secrets, for its initiator.
package struct BegunOperation: Sendable {
    /// The id to poll with.
    package let publicID: UUIDBits
    /// The ticket of the landing page.
    package let ticket: Secret
    /// The binding cookie's value.
    package let bindingCookie: Secret
    package let operation: Operation
}

extension OperationService {
    /// Begins a login, or a decoy that looks the same: both read the same rows and write one.
    ///
    /// The operation is durable when the method returns. No provider is called until a person opens the link. So a
    /// flood of starts costs nothing at the provider, and the provider's outage does not break the start.
    /// - Throws: ``StoreError``. ``LimitExceededError`` when unlinked devices have begun too many logins for that
    ///   e-mail address, whether an account has it or not.
    package func begin(_ command: BeginOperation) async throws -> BegunOperation {
        let now = clock.now
        let binding = command.binding.paired(in: environment)
        let query = SubjectQuery(
            email: command.email,
            provider: providers.login,
            policy: command.policy,
            deviceProof: command.deviceProof
        )
        let email = ports.accounts.subjects.normalised(command.email)
        // A person's operations are in the account's bucket. A start without a person has a bucket of its address.
        let bucketOfAddress = admission.tagged.bucket(ofAddress: email)
        let makeSecrets = { @Sendable [environment, admission] (bucket: Bucket) in
            StartSecrets(in: bucket, admission.tagged, codeChallenge: command.codeChallenge, environment: environment)
        }
        // SQLite has no buckets, and one thread for all units, which hashes nothing that can be hashed before.
        let early: StartSecrets? = if case .ordered = environment.ids { makeSecrets(bucketOfAddress) } else { nil }
        let draft = { @Sendable [environment, firstVersion] (subject: LoginSubject?, isQuiet: Bool) in
            let secrets = early ?? makeSecrets(subject.map { environment.bucket(of: $0.account) } ?? bucketOfAddress)
            let shown = isQuiet ? nil : subject
            let operation = Operation(
                id: secrets.row,
                credentials: secrets.credentials,
                request: Operation.Request(
                    account: shown?.account,
                    device: shown?.device,
                    deviceProof: shown?.proof,
                    policy: query.policy
                ),
                validity: Operation.Validity(from: now, under: query.policy),
                provider: query.provider,
                binding: binding,
                version: firstVersion
            )
            return (operation, secrets)
        }
        let charge = StartCharge(limits, email: email)
        // Without any proof, a start beyond the budget is refused before the database is read.
        if command.deviceProof.isEmpty, let wait = try await charge.settle() {
            throw refuse(.initiatePerAccount, wait)
        }
        let last = LastDraft()
        let unit = { @Sendable [self] (transaction: borrowing Transaction) throws -> Draft? in
            let finding = try ports.accounts.subjects.subject(for: query, in: transaction)
            if !finding.isLinked {
                guard command.admission == .free, try charge.wait() == nil else { return nil }
            }
            let isQuiet = isQuiet(command, finding.subject) && !finding.isLinked
            let (operation, secrets) = draft(finding.subject, isQuiet)
            last.operation = operation
            try ports.store.insert(operation, in: transaction)
            return Draft(operation: operation, secrets: secrets, proven: finding.proven, isQuiet: isQuiet)
        }
        let begun: Draft?
        do {
            do { begun = try await ports.unitOfWork.run(unit) } catch is StartCharge.UnsettledError {
                last.operation = nil
                try await charge.settle()
                begun = try await ports.unitOfWork.run(unit)
            }
        } catch let failure as StoreError {
            // Without a draft nothing was written.
            guard let tried = last.operation else { throw failure }
            throw noteFailedStart(failure, of: tried)
        }
        guard let begun else {
            if case .ifLinked(let wait) = command.admission { throw refuse(.initiatePerAddress, wait) }
            // The wait is not `nil` here: otherwise the unit of work would have inserted an operation.
            throw refuse(.initiatePerAccount, try charge.wait() ?? .seconds(1))
        }
        let operation = begun.operation
        limits.noteLinked(begun.proven)
        take(begun: operation, from: command.source, isQuiet: begun.isQuiet)
        await supersede(command.superseding, by: operation)
        return begun.secrets.begun(operation)
    }
}

extension OperationService {
    /// Updates cache, metrics and schedule after a durable start.
    ///
    /// `isQuiet`: Whether the login became a decoy because its initiator was disowned.
    func take(begun operation: Operation, from source: RequestSource?, isQuiet: Bool = false) {
        reports.metrics.began()
        refusals.count(.begun)
        if operation.isDecoy { refusals.note(isQuiet ? .quiet : .decoy, operation) }
        cache.put(operation, source: source)
        follow(operation)
    }
}

/// The inserted operation, and whether it became a decoy because its initiator was disowned.
private struct Draft: Sendable {
    let operation: Operation
    let secrets: StartSecrets
    /// The marks of the valid proofs.
    let proven: [Digest256]
    let isQuiet: Bool
}

/// The operation of the last run of a unit of work, which alone can have become durable.
private final class LastDraft: Sendable {
    private let state = Mutex<Operation?>(nil)

    var operation: Operation? {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}

/// Takes a start without a linked device from its account's budget: once, however often the unit of work runs.
private final class StartCharge: Sendable {
    /// The budget is counted in the database, which a unit of work can't do: the caller settles the charge first.
    struct UnsettledError: Error {}

    private let limits: Limits
    private let email: String
    private let taken = Mutex<TakenStart?>(nil)

    init(_ limits: Limits, email: String) {
        self.limits = limits
        self.email = email
    }

    /// Takes the start, unless it was taken; returns `nil` if the budget allowed it, or else the time until it does.
    /// - Throws: ``StoreError`` if the budget can't be counted.
    @discardableResult
    func settle() async throws(StoreError) -> Duration? {
        if let known = taken.withLock(\.self) { return known.wait }
        let wait = try await limits.takeStart(email: email)
        taken.withLock { $0 = TakenStart(wait: wait) }
        return wait
    }

    /// Returns what ``settle()`` does, and takes the start here if this daemon counts alone.
    /// - Throws: ``UnsettledError``.
    func wait() throws(UnsettledError) -> Duration? {
        let known = taken.withLock { taken in
            taken = taken ?? limits.takeStartHere(email: email)
            return taken
        }
        guard let known else { throw UnsettledError() }
        return known.wait
    }
}
