package import Kernel

/// The kind of an operation, as the store and clients write it.
package enum OperationKind: String, Sendable, CaseIterable {
    /// Somebody signs in.
    case login
    /// Somebody who is signed in enrols their face.
    case enroll
    /// Somebody who is signed in approves something.
    case approve
}

/// The purpose of an operation, with the values that it needs.
package enum OperationPurpose: Sendable, Equatable {
    case login
    /// The face of the account, asked for from that session.
    case enroll(startedBy: SessionID)
    /// An approval by the account, asked for from that session.
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

    /// The approval that is asked for, if any.
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
    /// A login and an approval wait for their caller. An enrolment is complete: nothing has to be collected.
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
