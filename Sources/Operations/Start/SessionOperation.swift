package import Kernel

/// The initiator of an operation from a session.
package struct Starter: Sendable, Equatable {
    package let account: AccountID
    package let session: SessionID
    /// The linked device of the session.
    package let device: DeviceID?
    /// The origin of the request, as the landing page and the account's owner see it.
    package let origin: LoginOrigin?
    /// The source that limits count; `nil` for a request that no limit counts.
    package let source: RequestSource?
    /// The source that the account's owner may disown.
    package let initiator: RequestSource?
    /// The language tag of the person's request.
    package let language: String?

    package init(
        account: AccountID,
        session: SessionID,
        device: DeviceID?,
        origin: LoginOrigin? = nil,
        source: RequestSource? = nil,
        initiator: RequestSource? = nil,
        language: String? = nil
    ) {
        self.account = account
        self.session = session
        self.device = device
        self.origin = origin
        self.source = source
        self.initiator = initiator
        self.language = language
    }
}

// Enrolments and approvals are started from a session.
extension OperationService {
    /// Begins an operation that a session asks for, and supersedes older ones of the account.
    ///
    /// `isOlder`: Whether an operation of the account is to be superseded.
    ///
    /// `isAllowed`: Whether the operation may begin. It is called in the unit of work that inserts the operation.
    ///
    /// - Returns: `nil` if `isAllowed` returns `false`.
    func begin(
        _ purpose: OperationPurpose,
        for starter: Starter,
        policy: ClientPolicy,
        number: PairingNumber? = nil,
        inPlaceOf isOlder: (Operation) -> Bool,
        if isAllowed: @escaping @Sendable (borrowing Transaction) throws -> Bool
    ) async throws -> BegunOperation? {
        try await admitStart(from: starter)
        let secrets = StartSecrets(
            in: environment.bucket(of: starter.account),
            admission.tagged,
            environment: environment
        )
        let operation = Operation(
            id: secrets.row,
            credentials: secrets.credentials,
            request: Operation.Request(
                account: starter.account,
                device: starter.device,
                language: purpose.kind == .enroll ? starter.language : nil,
                purpose: purpose,
                policy: policy
            ),
            validity: Operation.Validity(from: clock.now, under: policy),
            provider: providers.login,
            binding: OperationBinding(origin: starter.origin, number: number),
            version: firstVersion
        )
        do {
            let isBegun = try await ports.unitOfWork.run { [store = ports.store] transaction in
                guard try isAllowed(transaction) else { return false }
                try store.insert(operation, in: transaction)
                return true
            }
            guard isBegun else { return nil }
        } catch let failure as StoreError {
            throw noteFailedStart(failure, of: operation)
        }
        take(begun: operation, from: starter.initiator)
        await supersede(by: operation, isOlder)
        return secrets.begun(operation)
    }

    private func supersede(by new: Operation, _ isOlder: (Operation) -> Bool) async {
        guard let account = new.request.account else { return }
        let older = await knownLive(of: account).filter { $0.id != new.id && isOlder($0) }
        await supersede(older.sorted { ($0.validity.createdAt, $0.id.bits) < ($1.validity.createdAt, $1.id.bits) })
    }

    /// Whether the operation is of that kind and was started by that session.
    package func isStarted(_ publicID: Digest256, as kind: OperationKind, by session: SessionID) async throws -> Bool {
        guard let operation = try await known(publicID) else {
            refusals.count(.unknownOperation)
            return false
        }
        guard operation.request.purpose.kind == kind, operation.request.purpose.startedBy == session else {
            refusals.note(.pollWrongProof, operation)
            return false
        }
        return true
    }
}
