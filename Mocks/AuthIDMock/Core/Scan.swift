package import Kernel

/// A login (authID's transaction) or an enrolment (authID's operation).
package enum ScanKind: String, CaseIterable, Codable, Sendable {
    case login
    case enrolment

    /// The query parameter that names the scan on the page's URL.
    var pageParameter: String {
        switch self {
        case .login: "t"
        case .enrolment: "i"
        }
    }
}

/// One scan from its creation on.
///
/// A value: its state is a function of the time asked about, no timer ever runs.
package struct Scan: Sendable {
    /// How a scan ended and when.
    package struct Verdict: Equatable, Sendable {
        package let outcome: Outcome
        package let at: Instant
    }

    /// TransactionId or OperationId.
    package let id: UUIDBits
    package let kind: ScanKind
    package let accountNumber: String
    /// OneTimeSecret: opens the page.
    package let secret: Secret
    package let created: Instant
    /// `Timeout` of the request: from then on a pending scan is Expired.
    package let timeout: Duration

    /// When a browser first showed the page.
    package internal(set) var opened: Instant?
    /// An outcome that comes by itself at that time unless somebody decides sooner.
    package internal(set) var planned: Verdict?
    package internal(set) var decided: Verdict?
    /// `late_accept`: the status says Pending until the timeout has passed and Accepted from then on.
    package internal(set) var acceptsLate = false
    /// A fault of this scan's own status calls (magic address, scenario).
    var fault: ActiveFault?

    package var deadline: Instant { created + timeout }

    /// The outcome of the scan by `now`; `nil` while it is pending.
    package func verdict(at now: Instant) -> Verdict? {
        if let decided { return decided }
        if let planned, planned.at <= now, planned.at < deadline { return planned }
        return now >= deadline ? Verdict(outcome: .expire, at: deadline) : nil
    }

    /// The answer of the status call at `now`: the verdict, unless the scan accepts late.
    package func reportedVerdict(at now: Instant) -> Verdict? {
        guard acceptsLate else { return verdict(at: now) }
        return now >= deadline ? Verdict(outcome: .accept, at: deadline) : nil
    }

    /// The status that goes with ``reportedVerdict(at:)``.
    package func reportedStatus(at now: Instant) -> ProviderStatus {
        reportedVerdict(at: now)?.outcome.status ?? .pending
    }
}
