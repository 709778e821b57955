package import Kernel

/// The rules for which caller may see, collect and end an operation; pure functions.
package enum Visibility {
    /// How long a client without cookies gets the same grant again.
    package static let fingerprintWindow: Duration = .seconds(20)

    /// The access that a caller has to an operation.
    package enum AccessLevel: Sendable, Equatable {
        /// Sees its true state and collects.
        case rightful
        /// Holds the id alone: sees what everybody sees of a decoy, and collects nothing.
        case unproven
    }

    /// Returns the caller's access to the operation, for reading and collecting.
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

    /// Whether only the caller's address and user agent can tell its access level, after a collection without cookies.
    ///
    /// Their digest is computed only then, not for every poll.
    package static func needsFingerprint(_ caller: Caller, _ operation: Operation) -> Bool {
        guard operation.credentials.codeChallenge == nil, !operation.credentials.isBound,
            operation.request.purpose == .login
        else { return false }
        return operation.state.name == .redeemed || operation.state.name == .closed
    }

    /// Whether the caller may acknowledge or cancel.
    ///
    /// That takes the verifier, the binding cookie, or a token of the session that the operation opened. The bare id is
    /// not enough, even while nothing is bound.
    package static func mayEnd(_ caller: Caller, _ operation: Operation) -> Bool {
        if let starter = operation.request.purpose.startedBy { return caller.session == starter }
        if let session = caller.session, session == operation.session { return true }
        return isProven(caller, operation)
    }

    /// Whether the caller presents the secret of the operation's start: the session that started it, the verifier of
    /// its challenge, or else the binding cookie.
    ///
    /// It asks more of a caller than ``accessLevel(of:to:)`` does while nothing is bound.
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
    /// The session that it opened.
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
    /// `timeLeft` is how long the view can stay pending; a waiting poll does not outlast it.
    case pending(hint: PendingHint, seq: Int64, timeLeft: Duration)
    case failed(FailureCode, seq: Int64)
    /// The tokens of this grant are to be signed and handed out.
    case completed(Grant, Delivery, seq: Int64)
    /// The token of this approval is to be signed and handed out.
    case attested(Grant, Operation, seq: Int64)
    /// Collected before; nothing is handed out.
    case delivered(seq: Int64)

    /// The row's version that the view shows.
    package var seq: Int64 {
        switch self {
        case .pending(_, let seq, _), .failed(_, let seq), .completed(_, _, let seq), .attested(_, _, let seq),
            .delivered(let seq):
            seq
        }
    }
}

/// What happens while an operation is pending, as clients read it.
package enum PendingHint: String, Sendable, CaseIterable {
    case created
    case linkOpened = "link_opened"
    case userInProvider = "user_in_provider"
    case processing
    /// The provider does not answer at the moment; the operation continues.
    case providerDegraded = "provider_degraded"

    package init(_ progress: ScanProgress) {
        switch progress {
        case .userInProvider: self = .userInProvider
        case .processing: self = .processing
        }
    }
}
