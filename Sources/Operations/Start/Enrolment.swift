package import Kernel

/// The person whose face is to be enrolled.
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
    /// `mayReplace`: Whether a new face may replace the one that signs the account in there.
    ///
    /// - Returns: `false` once the session or the account is over.
    /// - Throws: ``EnrolmentError/replacementNotProven``.
    func prepare(
        _ starter: Starter,
        at provider: ProviderName,
        mayReplace: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Returns the applicant from the store; `nil` once the session or the account is over.
    func applicant(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName
    ) async throws
        -> EnrolmentApplicant?

    /// Makes the face sign the account in.
    ///
    /// `language`: The tag of the language of the owner's notice.
    ///
    /// - Returns: `false`, without a change, once the session or the account is over: a revocation beats a verdict.
    func complete(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName,
        language: String,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Withdraws the face, so that it does not sign the account in.
    ///
    /// - Returns: `false` if no face signed the account in before.
    func withdraw(_ account: AccountID, at provider: ProviderName, in transaction: borrowing Transaction) throws -> Bool
}

/// The reason why an enrolment can't begin.
package enum EnrolmentError: Error, Equatable, Sendable {
    /// The provider of logins does not enrol faces.
    case notOffered
    /// The session or the account is over.
    case sessionOver
    /// A face signs the account in, and the session began with too little to replace it.
    case replacementNotProven
}

extension OperationService {
    /// Begins the enrolment of the account's face, from a session of that account.
    ///
    /// It supersedes an enrolment in progress. An enrolled face stays until this one completes. It is durable when it
    /// returns; no provider is called.
    ///
    /// `mayReplace`: Whether the session's sign-in suffices to replace a face.
    ///
    /// - Throws: ``EnrolmentError``; ``LimitExceededError``; ``StoreError``.
    package func beginEnrolment(
        _ starter: Starter,
        policy: ClientPolicy,
        mayReplace: Bool
    ) async throws -> BegunOperation {
        guard providers[providers.login]?.enrolsFaces == true else { throw EnrolmentError.notOffered }
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

    /// When the face that signs the account in was enrolled here; `nil` where that is not on record.
    package func enrolledAt(_ account: AccountID) async throws -> Instant? {
        try await newestEnrolment(of: account)?.state.endedAt
    }

    /// Whether a face of the account was enrolled here after `after` and up to `until`.
    package func hasEnrolled(_ account: AccountID, after: Instant, until: Instant) async throws -> Bool {
        let filter = EnrolmentFilter(account: account, outcome: .completedWithin(after: after, until: until), limit: 1)
        return try await !ports.store.listEnrolments(filter).isEmpty
    }

    /// Returns the newest completed enrolment of the account; `nil` as provider means any.
    func newestEnrolment(of account: AccountID, at provider: ProviderName? = nil) async throws -> Operation? {
        let filter = EnrolmentFilter(account: account, outcome: .completed, provider: provider, limit: 1)
        return try await ports.store.listEnrolments(filter).first
    }
}

extension OperationService {
    /// Returns the face that the provider is asked to match or enrol; `nil` when the account may not be scanned.
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

    /// Takes in a status; an accepted enrolment is written with it.
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
                    language: next.request.language ?? "en",
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
    /// Set when the face is to be enrolled.
    var applicant: EnrolmentApplicant?
    /// The mark of the face that is to be matched.
    var mark: String?
}

extension ScanSubject {
    fileprivate init(_ face: EnrolledFace) { self.init(enrolment: face.reference, mark: face.mark) }
}
