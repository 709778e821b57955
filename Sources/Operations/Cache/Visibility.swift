package import Kernel

/// The rules about which caller may see, collect and end an operation, as pure functions.
package enum Visibility {
    /// How long a client without cookies can collect the same grant again.
    package static let fingerprintWindow: Duration = .seconds(20)

    /// The access that a caller has to an operation.
    package enum AccessLevel: Sendable, Equatable {
        /// The caller sees the operation's true state, and collects.
        case rightful
        /// The caller has the id alone. It sees what it would see of a decoy, and collects nothing.
        case unproven
    }

    /// Returns the caller's access to the operation for reading and collecting.
    package static func accessLevel(of caller: Caller, to operation: Operation) -> AccessLevel {
        if let starter = operation.request.purpose.startedBy {
            return caller.session == starter ? .rightful : .unproven
        }
        if let challenge = operation.credentials.codeChallenge {
            return caller.challenge?.matches(challenge) == true ? .rightful : .unproven
        }
        if caller.bindingCookie?.matches(operation.credentials.bindingCookie) == true { return .rightful }
        guard !operation.credentials.isBound else { return .unproven }
        switch operation.state {
        case .created, .opened, .pending, .approved, .failed: return .rightful
        case .redeemed(let grant): return collected(by: grant.collector, caller)
        case .closed(let closure): return collected(by: closure.collector, caller)
        }
    }

    /// Whether the access level depends on the caller's address and user agent, after a collection without cookies.
    ///
    /// Their digest is computed only then, and not for every poll.
    package static func needsFingerprint(_ caller: Caller, _ operation: Operation) -> Bool {
        guard operation.credentials.codeChallenge == nil, !operation.credentials.isBound,
            operation.request.purpose == .login
        else { return false }
        return operation.state.name == .redeemed || operation.state.name == .closed
    }

    /// Whether the caller may acknowledge or cancel the operation.
    ///
    /// The caller needs the code verifier, the binding cookie, or a token of the session that started the operation or
    /// that it opened. The id alone is not enough, even while no cookie is bound.
    package static func mayEnd(_ caller: Caller, _ operation: Operation) -> Bool {
        if let starter = operation.request.purpose.startedBy { return caller.session == starter }
        if let session = caller.session, session == operation.session { return true }
        return isProven(caller, operation)
    }

    /// Whether the caller presents the secret of the operation's start.
    ///
    /// The secret is the session that started it, or else the verifier of its code challenge, or else the binding
    /// cookie. While no cookie is bound, this is stricter than ``accessLevel(of:to:)``.
    package static func isProven(_ caller: Caller, _ operation: Operation) -> Bool {
        if let starter = operation.request.purpose.startedBy { return caller.session == starter }
        if let challenge = operation.credentials.codeChallenge { return caller.challenge?.matches(challenge) == true }
        return caller.bindingCookie?.matches(operation.credentials.bindingCookie) == true
    }

    /// Whether the grant may be handed to this rightful caller once more.
    package static func mayRedeliver(_ grant: Grant, of operation: Operation, at now: Instant) -> Bool {
        switch grant.collector {
        case .proven: now < grant.redeemedAt + operation.request.policy.timing.redemptionWindow
        case .fingerprint:
            now < grant.redeemedAt + min(fingerprintWindow, operation.request.policy.timing.redemptionWindow)
        }
    }

    /// Returns what an unproven caller sees in every state: an operation that nobody opens, and that expires.
    package static func outsideView(of operation: Operation, at now: Instant) -> PollView {
        now < operation.validity.deadline
            ? .pending(hint: .created, seq: 1, timeLeft: operation.validity.deadline - now)
            : .failed(.expired, seq: 2)
    }

    private static func collected(by collector: Grant.Collector, _ caller: Caller) -> AccessLevel {
        guard case .fingerprint(let digest) = collector else { return .unproven }
        return caller.fingerprint?.matches(digest) == true ? .rightful : .unproven
    }
}

extension Operation {
    /// The session that the operation opened, or the one that started it, once it is redeemed or closed.
    package var session: SessionID? {
        switch state {
        case .redeemed(let grant): grant.session
        case .closed(let closure): closure.session
        case .created, .opened, .pending, .approved, .failed: nil
        }
    }
}

/// The answer to a poll, before the tokens are signed.
package enum PollView: Sendable, Equatable {
    /// `timeLeft`: How long the operation can stay pending. A waiting poll returns by then.
    case pending(hint: PendingHint, seq: Int64, timeLeft: Duration)
    case failed(FailureCode, seq: Int64)
    /// The tokens of this grant are to be signed and handed out.
    case completed(Grant, Delivery, seq: Int64)
    /// The token of this approval is to be signed and handed out.
    case attested(Grant, Operation, seq: Int64)
    /// The result was collected before, and nothing is handed out.
    case delivered(seq: Int64)

    /// The version of the operation that the view shows.
    package var seq: Int64 {
        switch self {
        case .pending(_, let seq, _), .failed(_, let seq), .completed(_, _, let seq), .attested(_, _, let seq),
            .delivered(let seq):
            seq
        }
    }
}

/// The progress of a pending operation, as clients see it.
package enum PendingHint: String, Sendable, CaseIterable {
    case created
    case linkOpened = "link_opened"
    case userInProvider = "user_in_provider"
    case processing
    /// The provider does not answer at the moment, but the operation continues.
    case providerDegraded = "provider_degraded"

    package init(_ progress: ScanProgress) {
        switch progress {
        case .userInProvider: self = .userInProvider
        case .processing: self = .processing
        }
    }
}
