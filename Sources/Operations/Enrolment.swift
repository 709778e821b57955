package import Kernel
import Logging

/// Who asks for an operation from a session.
package struct Starter: Sendable, Equatable {
    package let account: AccountID
    package let session: SessionID
    /// The linked device that the session is on.
    package let device: DeviceID?

    package init(account: AccountID, session: SessionID, device: DeviceID?) {
        self.account = account
        self.session = session
        self.device = device
    }
}

/// Whose face is to be enrolled.
package struct EnrolmentApplicant: Sendable, Equatable {
    /// The account's name at the provider: random, immutable, never the e-mail.
    package let reference: String
    package let displayName: String
    package let email: String?

    package init(reference: String, displayName: String, email: String?) {
        self.reference = reference
        self.displayName = displayName
        self.email = email
    }
}

/// Port: what enrolments need of accounts and sessions.
///
/// Implemented at the composition root.
package protocol FaceEnrolling: Sendable {
    /// Fixes the account's name at the provider, if it has none yet.
    ///
    /// `false` once the session or the account is over.
    func prepare(_ starter: Starter, at provider: ProviderName, in transaction: borrowing Transaction) throws -> Bool

    /// Whose face it is, read afresh: `nil` once the session or the account is over.
    func applicant(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName
    ) async throws
        -> EnrolmentApplicant?

    /// From now on the face signs the account in.
    ///
    /// `false`, and nothing changed, once the session or the account is
    /// over: a revocation beats a verdict.
    func complete(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// From now on the face signs nobody in.
    ///
    /// `false` if it signed nobody in before.
    func withdraw(_ account: AccountID, at provider: ProviderName, in transaction: borrowing Transaction) throws -> Bool
}

/// Why an enrolment can't begin.
package enum EnrolmentRefusal: Error, Equatable, Sendable {
    /// The provider that logins are at enrols nobody by itself.
    case notOffered
    /// The session or the account is over.
    case sessionOver
}

extension OperationDesk {
    /// Begins the enrolment of the account's face, from a session of that account.
    ///
    /// An enrolment that is under way gives way to it. What was enrolled before stays until this one completes. Durable
    /// when it returns; no provider is called.
    /// - Throws: ``EnrolmentRefusal``; ``StoreFailure``.
    package func beginEnrolment(_ starter: Starter, policy: ClientPolicy) async throws -> BegunOperation {
        guard providers[loginProvider]?.enrolsFaces == true else { throw EnrolmentRefusal.notOffered }
        let begun = try await begin(.enroll(startedBy: starter.session), starter, policy) {
            [enrolling, loginProvider] in
            try enrolling.prepare(starter, at: loginProvider, in: $0)
        }
        guard let begun else { throw EnrolmentRefusal.sessionOver }
        let older = board.cards {
            $0.account == starter.account && $0.purpose.kind == .enroll && !$0.state.isTerminal
                && $0.id != begun.operation.id
        }
        for card in older.sorted(by: { $0.operation.id.bits < $1.operation.id.bits }) {
            do { _ = try await transition(card.operation, .superseded) } catch is OperationMachine.Refusal {} catch {
                // It ends by itself; the new one is begun all the same.
                logger.warning(
                    "an older enrolment could not be superseded",
                    metadata: card.operation.logged(["cause": "\(error)"])
                )
            }
        }
        return begun
    }

    /// Begins an operation that a session asks for.
    ///
    /// `isAllowed` is asked in the unit of work that inserts it.
    private func begin(
        _ purpose: OperationPurpose,
        _ starter: Starter,
        _ policy: ClientPolicy,
        _ isAllowed: @escaping @Sendable (borrowing Transaction) throws -> Bool
    ) async throws -> BegunOperation? {
        let publicID = facts.newUUID()
        let ticket = facts.newSecret()
        let bindingCookie = facts.newSecret()
        let operation = Operation(
            id: facts.newID(OperationRowID.self),
            publicID: Digest256(sha256: publicID),
            ticket: Digest256(sha256: ticket.expose()),
            account: starter.account,
            device: starter.device,
            provider: loginProvider,
            policy: policy,
            codeChallenge: nil,
            // Handed to nobody: the session is the proof.
            bindingCookie: Digest256(sha256: bindingCookie.expose()),
            createdAt: clock.now,
            purpose: purpose
        )
        do {
            let isBegun = try await unitOfWork.run { [store] transaction in
                guard try isAllowed(transaction) else { return false }
                try store.insert(operation, in: transaction)
                return true
            }
            guard isBegun else { return nil }
        } catch let failure as StoreFailure {
            if case .unavailable = failure { doubt(operation.publicID, operation.id, deadline: operation.deadline) }
            throw failure
        }
        metrics.began()
        refusals.count(.begun)
        board.put(operation)
        follow(operation)
        return BegunOperation(publicID: publicID, ticket: ticket, bindingCookie: bindingCookie, operation: operation)
    }

    /// Where an operation of that kind stands that this session started; `nil` for any other.
    package func poll(
        _ publicID: Digest256,
        of kind: OperationKind,
        from session: SessionID
    ) async throws -> (view: PollView, operation: Operation)? {
        guard let operation = try await known(publicID) else {
            refusals.count(.unknownOperation)
            return nil
        }
        guard operation.purpose.kind == kind, operation.purpose.startedBy == session else {
            refusals.note(.pollWrongProof, operation)
            return nil
        }
        return try await poll(publicID, Caller(session: session)).map { ($0, operation) }
    }
}

extension OperationDesk {
    /// What the provider is asked about: a face to match, or one to enrol.
    ///
    /// `nil` when there is nobody to scan any more.
    func scanSubject(
        of operation: Operation,
        _ account: AccountID,
        at provider: ProviderName
    ) async throws -> ScanSubject? {
        switch operation.purpose {
        case .login:
            try await subjects.enrolment(of: account, at: provider).map { ScanSubject(enrolment: $0) }
        case .enroll(let session):
            try await enrolling.applicant(account, from: session, at: provider)
                .map { ScanSubject(enrolment: $0.reference, applicant: $0) }
        }
    }

    /// Takes in a verdict; an accepted enrolment is written with it.
    func take(_ status: ScanStatus, of reference: ProviderReference, for operation: Operation) async throws {
        guard status == .approved, case .enroll(let session) = operation.purpose, let account = operation.account else {
            _ = try await transition(operation, .observed(status, of: reference, at: operation.provider))
            return
        }
        do {
            let event = OperationEvent.observed(status, of: reference, at: operation.provider)
            _ = try await transition(operation, event) { [enrolling] next, transaction in
                guard try enrolling.complete(account, from: session, at: next.provider, in: transaction) else {
                    throw EnrolmentRefusal.sessionOver
                }
            }
        } catch EnrolmentRefusal.sessionOver {
            refusals.note(.collectBlocked, operation)
            do { _ = try await transition(operation, .accountBlocked) } catch is OperationMachine.Refusal {}
        }
    }
}

/// Whom the provider scans.
struct ScanSubject: Sendable, Equatable {
    let enrolment: String
    /// Set when the face is to be enrolled.
    var applicant: EnrolmentApplicant?
}
