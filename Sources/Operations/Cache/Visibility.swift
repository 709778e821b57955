package import Kernel

/// Who may see and collect what of an operation.
///
/// Pure.
package enum Visibility {
    /// How long a client without cookies gets the same grant again.
    package static let fingerprintWindow: Duration = .seconds(20)

    /// What a caller is to an operation.
    package enum AccessLevel: Sendable, Equatable {
        /// Sees its true state and collects.
        case rightful
        /// Holds the id alone: sees what everybody sees of a decoy, and gets nothing.
        case unproven
    }

    /// What the caller is to the operation, for reading and collecting.
    package static func accessLevel(of caller: Caller, to operation: Operation) -> AccessLevel {
        if let starter = operation.purpose.startedBy { return caller.session == starter ? .rightful : .unproven }
        if let challenge = operation.codeChallenge {
            return caller.challenge?.matches(challenge) == true ? .rightful : .unproven
        }
        if caller.bindingCookie?.matches(operation.bindingCookie) == true { return .rightful }
        guard !operation.isBound else { return .unproven }
        switch operation.state {
        case .created, .opened, .pending, .approved, .failed: return .rightful
        case .redeemed(let grant): return collected(by: grant.collector, caller)
        case .closed(let closure): return collected(by: closure.collector, caller)
        }
    }

    /// Whether only the caller's address and user agent can tell its access level: it was collected by a client that keeps
    /// no cookies.
    ///
    /// Their digest is not worth making for every poll.
    package static func needsFingerprint(_ caller: Caller, _ operation: Operation) -> Bool {
        guard operation.codeChallenge == nil, !operation.isBound, operation.purpose == .login else { return false }
        return operation.state.name == .redeemed || operation.state.name == .closed
    }

    /// Whether the caller may acknowledge or cancel: that takes the verifier, the binding cookie, or a token of the
    /// session that came of the operation; the bare id is not enough even while nothing is bound.
    package static func mayEnd(_ caller: Caller, _ operation: Operation) -> Bool {
        if let starter = operation.purpose.startedBy { return caller.session == starter }
        if let session = caller.session, session == operation.session { return true }
        return isProven(caller, operation)
    }

    /// Whether the caller brings the secret of the operation's start: the session where one started it, the verifier where
    /// there is a challenge, else the binding cookie.
    ///
    /// More than ``accessLevel(of:to:)`` asks of a caller while nothing is bound.
    package static func isProven(_ caller: Caller, _ operation: Operation) -> Bool {
        if let starter = operation.purpose.startedBy { return caller.session == starter }
        if let challenge = operation.codeChallenge { return caller.challenge?.matches(challenge) == true }
        return caller.bindingCookie?.matches(operation.bindingCookie) == true
    }

    /// Whether the grant may be handed to this rightful caller once more.
    package static func mayRedeliver(_ grant: Grant, of operation: Operation, at now: Instant) -> Bool {
        switch grant.collector {
        case .proven: now < grant.redeemedAt + operation.policy.redemptionWindow
        case .fingerprint: now < grant.redeemedAt + min(fingerprintWindow, operation.policy.redemptionWindow)
        }
    }

    /// What an unproven caller sees, whatever has happened: an operation that nobody opens, and that expires.
    package static func outsideView(of operation: Operation, at now: Instant) -> PollView {
        now < operation.deadline
            ? .pending(hint: .created, seq: 1, timeLeft: operation.deadline - now)
            : .failed(.expired, seq: 2)
    }

    private static func collected(by collector: Grant.Collector, _ caller: Caller) -> AccessLevel {
        guard case .fingerprint(let digest) = collector else { return .unproven }
        return caller.fingerprint?.matches(digest) == true ? .rightful : .unproven
    }
}

extension Operation {
    /// The session that came of it.
    package var session: SessionID? {
        switch state {
        case .redeemed(let grant): grant.session
        case .closed(let closure): closure.session
        case .created, .opened, .pending, .approved, .failed: nil
        }
    }
}

/// What a poll is told, before the tokens are signed.
package enum PollView: Sendable, Equatable {
    /// `timeLeft` is until the view can be pending no more: what a poll that waits does not outlast.
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
    /// The provider does not answer at the moment; the operation goes on.
    case providerDegraded = "provider_degraded"

    package init(_ progress: ScanProgress) {
        switch progress {
        case .userInProvider: self = .userInProvider
        case .processing: self = .processing
        }
    }
}
