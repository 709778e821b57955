package import Kernel

/// The person whose face is to be enrolled.
package struct EnrolmentApplicant: Sendable, Equatable {
    /// The account's name at the provider: random, immutable, and never the e-mail address.
    package let reference: String
    package let displayName: String
    package let email: String?

    package init(reference: String, displayName: String, email: String?) {
        self.reference = reference
        self.displayName = displayName
        self.email = email
    }
}

/// Port: the changes of accounts and sessions by enrolments.
///
/// Implemented at the composition root.
package protocol FaceEnrolling: Sendable {
    /// Sets the account's name at the provider, if the account has none yet.
    ///
    /// `mayReplace`: Whether a new face may replace the one that signs the account in there.
    ///
    /// - Returns: `false` if the session or the account is no longer active.
    /// - Throws: ``EnrolmentError/replacementNotProven`` if there is a face that must not be replaced.
    func prepare(
        _ starter: Starter,
        at provider: ProviderName,
        mayReplace: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Returns the applicant from the database; `nil` if the session or the account is no longer active.
    func applicant(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName
    ) async throws
        -> EnrolmentApplicant?

    /// Puts the face in force, so that it signs the account in.
    ///
    /// `client`: The client or page at which the person set the face up. `requester`: The person behind the enrolment.
    /// The notice to the owner names both.
    ///
    /// - Returns: `false`, without a change, if the session or the account is no longer active. So a revocation wins
    ///   over a verdict.
    func complete(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Withdraws the face, so that it no longer signs the account in.
    ///
    /// - Returns: `false` if no face signed the account in before.
    func withdraw(_ account: AccountID, at provider: ProviderName, in transaction: borrowing Transaction) throws -> Bool
}

/// The reason why an enrolment can't begin.
package enum EnrolmentError: Error, Equatable, Sendable {
    /// The provider of logins does not enrol faces.
    case notOffered
    /// The session or the account is no longer active.
    case sessionOver
    /// A face signs the account in, and the session's sign-in does not suffice to replace it.
    case replacementNotProven
}

extension OperationService {
    /// Begins the enrolment of the account's face, from a session of that account.
    ///
    /// It supersedes an enrolment in progress. The current face stays in force until the new enrolment completes. The
    /// operation is durable when the method returns, and no provider is called.
    ///
    /// `mayReplace`: Whether the session's sign-in suffices to replace a face.
    ///
    /// - Throws: ``EnrolmentError``, ``LimitExceededError``, ``StoreError``.
    package func beginEnrolment(
        _ starter: Starter,
        policy: ClientPolicy,
        mayReplace: Bool
    ) async throws -> BegunOperation {
        guard enrolsFaces else { throw EnrolmentError.notOffered }
        let begun = try await begin(
            .enroll(startedBy: starter.session),
            for: starter,
            policy: policy,
            inPlaceOf: { $0.request.purpose.kind == .enroll },
            if: { [enrolling = ports.accounts.enrolling, login = providers.login] transaction in
                try enrolling.prepare(starter, at: login, mayReplace: mayReplace, in: transaction)
            }
        )
        guard let begun else { throw EnrolmentError.sessionOver }
        return begun
    }

    /// Whether the provider of logins enrols faces.
    package var enrolsFaces: Bool { providers[providers.login]?.enrolsFaces == true }

    /// Returns the time at which the account's newest face was enrolled here; `nil` if none was.
    package func enrolledAt(_ account: AccountID) async throws -> Instant? {
        try await newestEnrolment(of: account)?.state.endedAt
    }

    /// Whether a face of the account was enrolled here after `after`, and not after `until`.
    package func hasEnrolled(_ account: AccountID, after: Instant, until: Instant) async throws -> Bool {
        let filter = EnrolmentFilter(account: account, outcome: .completedWithin(after: after, until: until), limit: 1)
        return try await !ports.store.listEnrolments(filter).isEmpty
    }

    /// Returns the newest completed enrolment of the account, at any provider if `provider` is `nil`.
    func newestEnrolment(of account: AccountID, at provider: ProviderName? = nil) async throws -> Operation? {
        let filter = EnrolmentFilter(account: account, outcome: .completed, provider: provider, limit: 1)
        return try await ports.store.listEnrolments(filter).first
    }
}

extension OperationService {
    /// Returns the face that the provider has to match or enrol; `nil` when the account may not be scanned.
    func scanSubject(
        of operation: Operation,
        _ account: AccountID,
        at provider: ProviderName
    ) async throws -> ScanSubject? {
        switch operation.request.purpose {
        case .login:
            return try await ports.accounts.subjects.enrolment(of: account, at: provider).map { ScanSubject($0) }
        case .approve(_, let session):
            guard try await ports.accounts.activeSessions.isActive(session, of: account) else { return nil }
            return try await ports.accounts.subjects.enrolment(of: account, at: provider).map { ScanSubject($0) }
        case .enroll(let session):
            return try await ports.accounts.enrolling.applicant(account, from: session, at: provider)
                .map { ScanSubject(enrolment: $0.reference, applicant: $0) }
        }
    }

    /// Applies a scan's status, and puts an accepted enrolment's face in force in the same unit of work.
    func take(_ status: ScanStatus, of reference: ProviderReference, for operation: Operation) async throws {
        guard status == .approved, case .enroll(let session) = operation.request.purpose,
            let account = operation.request.account
        else {
            _ = try await transition(operation, .observed(status, of: reference, at: operation.provider))
            return
        }
        do {
            let event = OperationEvent.observed(status, of: reference, at: operation.provider)
            _ = try await transition(operation, event) { [enrolling = ports.accounts.enrolling] next, transaction in
                let isComplete = try enrolling.complete(
                    account,
                    from: session,
                    at: next.provider,
                    client: next.request.policy.signsInTo,
                    requester: next.requester,
                    in: transaction
                )
                guard isComplete else { throw EnrolmentError.sessionOver }
            }
        } catch EnrolmentError.sessionOver {
            refusals.note(.collectBlocked, operation)
            do { _ = try await transition(operation, .accountBlocked) } catch is OperationMachine.TransitionError {}
        }
    }
}

/// The person that the provider scans.
struct ScanSubject: Sendable, Equatable {
    let enrolment: String
    /// The person to enrol; `nil` for a scan that matches a face.
    var applicant: EnrolmentApplicant?
    /// The mark of the face to match; `nil` for an enrolment.
    var mark: String?
}

extension ScanSubject {
    fileprivate init(_ face: EnrolledFace) { self.init(enrolment: face.reference, mark: face.mark) }
}

extension Operation {
    /// The person who started the operation, as a notice about it describes them.
    fileprivate var requester: Requester {
        Requester(
            language: request.language ?? "en",
            address: binding.origin?.address ?? "",
            agent: binding.origin?.agent ?? ""
        )
    }
}
