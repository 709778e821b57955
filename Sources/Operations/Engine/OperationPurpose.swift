package import Kernel

/// The kind of an operation, as clients and the database see it.
package enum OperationKind: String, Sendable, CaseIterable {
    /// A person signs in.
    case login
    /// A signed-in person enrols their face.
    case enroll
    /// A signed-in person approves a request.
    case approve
}

/// The purpose of an operation, with its values.
package enum OperationPurpose: Sendable, Equatable {
    case login
    /// The account enrols a face, started from that session.
    case enroll(startedBy: SessionID)
    /// The account approves a request, started from that session.
    case approve(ApprovalRequest, startedBy: SessionID)

    package var kind: OperationKind {
        switch self {
        case .login: .login
        case .enroll: .enroll
        case .approve: .approve
        }
    }

    /// The session that started the operation, which alone sees and ends it; `nil` for a login.
    package var startedBy: SessionID? {
        switch self {
        case .login: nil
        case .enroll(let session), .approve(_, let session): session
        }
    }

    /// The request that is to be approved; `nil` for other purposes.
    package var approval: ApprovalRequest? {
        switch self {
        case .login, .enroll: nil
        case .approve(let request, _): request
        }
    }
}

extension Operation {
    /// Returns the state after an accepted scan.
    ///
    /// A login and an approval wait for their caller's collection. An enrolment is complete.
    func approved(by scan: ProviderReference, at now: Instant) -> OperationState {
        switch request.purpose {
        case .login, .approve: .approved(Approval(at: now, scan: scan))
        case .enroll(let session): .closed(Closure(at: now, session: session, collector: .proven))
        }
    }

    /// Returns the effect of the first collection.
    func collected(_ grant: Grant) -> OperationMachine.Effect {
        switch request.purpose {
        case .login, .enroll: .openSession(grant)
        case .approve: .attest(grant)
        }
    }
}
