/// The reason why a login failed, as clients and the store write it.
package enum FailureCode: String, Sendable, CaseIterable {
    /// The person said no.
    case declined
    /// The person says that somebody else started it.
    case deniedNotMe = "denied_not_me"
    /// The face is not the enrolled one.
    case notMatched = "not_matched"
    /// No living face was seen.
    case livenessFailed = "liveness_failed"
    case tooManyAttempts = "too_many_attempts"
    /// Nobody finished it, or nobody collected it, in time.
    case expired
    case canceled
    /// The same person started a newer one.
    case superseded
    /// The provider answered that it failed, or its answer could not be understood.
    case providerError = "provider_error"
    /// The provider could not be reached until the deadline.
    case providerUnavailable = "provider_unavailable"
    case accountBlocked = "account_blocked"

    /// Whether starting again may help.
    package var isRetryable: Bool {
        switch self {
        case .notMatched, .livenessFailed, .expired, .canceled, .superseded, .providerError, .providerUnavailable: true
        case .declined, .deniedNotMe, .tooManyAttempts, .accountBlocked: false
        }
    }

    /// Whether it is a scan's verdict about the person.
    var isVerdictOnPerson: Bool {
        switch self {
        case .declined, .notMatched, .livenessFailed, .tooManyAttempts: true
        case .deniedNotMe, .expired, .canceled, .superseded, .providerError, .providerUnavailable, .accountBlocked:
            false
        }
    }
}
