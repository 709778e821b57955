package import Kernel

/// What operations are for, as the store and clients write it.
package enum OperationKind: String, Sendable, CaseIterable {
    /// Somebody signs in.
    case login
    /// Somebody who is signed in enrols their face.
    case enroll
    /// Somebody who is signed in approves something.
    case approve
}

/// What an operation is for, and what it needs for that.
package enum OperationPurpose: Sendable, Equatable {
    case login
    /// The face of the account, asked for from that session.
    case enroll(startedBy: SessionID)
    /// The account's word for that, asked for from that session.
    case approve(ApprovalRequest, startedBy: SessionID)

    package var kind: OperationKind {
        switch self {
        case .login: .login
        case .enroll: .enroll
        case .approve: .approve
        }
    }

    /// The session that started it: it alone sees it and ends it; a login has none.
    package var startedBy: SessionID? {
        switch self {
        case .login: nil
        case .enroll(let session), .approve(_, let session): session
        }
    }

    /// What is to be approved, where something is.
    package var approval: ApprovalRequest? {
        switch self {
        case .login, .enroll: nil
        case .approve(let request, _): request
        }
    }
}

extension Operation {
    /// The state that an accepted scan leads to.
    ///
    /// A login and an approval wait for their caller. An enrolment has nothing to be collected: it is complete.
    func approved(by scan: ProviderReference, at now: Instant) -> OperationState {
        switch purpose {
        case .login, .approve: .approved(Approval(at: now, scan: scan))
        case .enroll(let session): .closed(Closure(at: now, session: session, collector: .proven))
        }
    }

    /// What a first collection asks for.
    func collected(_ grant: Grant) -> OperationMachine.Effect {
        switch purpose {
        case .login, .enroll: .openSession(grant)
        case .approve: .attest(grant)
        }
    }
}
