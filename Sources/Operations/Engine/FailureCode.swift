/// The reason why an operation failed, as clients and the database see it.
package enum FailureCode: String, Sendable, CaseIterable {
    /// The person said no, or the provider did without a reason.
    ///
    /// What to do: Tell the person. Do not start again by itself.
    case declined
    /// The person says that somebody else started it.
    ///
    /// What to do: Do not start again by itself.
    case deniedNotMe = "denied_not_me"
    /// The face is not the enrolled one.
    ///
    /// What to do: Offer another try.
    case notMatched = "not_matched"
    /// No living face was seen.
    ///
    /// What to do: Offer another try, in better light.
    case livenessFailed = "liveness_failed"
    /// A wrong number was typed three times, or the provider stopped it.
    ///
    /// What to do: Offer another way to sign in.
    case tooManyAttempts = "too_many_attempts"
    /// Nobody finished it, or nobody collected it, in time.
    ///
    /// What to do: Offer another try.
    case expired
    /// The app, the person at the provider, or an operator gave it up.
    ///
    /// What to do: Offer another try when the person wants one.
    case canceled
    /// The same person started a newer one.
    ///
    /// What to do: Follow the newer one.
    case superseded
    /// The provider answered that it failed, or its answer could not be understood.
    ///
    /// What to do: Offer another try. The operator finds the cause in the log.
    case providerError = "provider_error"
    /// The provider could not be reached until the deadline.
    ///
    /// What to do: Offer another try later, or another way to sign in.
    case providerUnavailable = "provider_unavailable"
    /// The account or its device was blocked before the tokens were collected.
    ///
    /// What to do: Tell the person to ask the operator.
    case accountBlocked = "account_blocked"

    /// Whether a new login may succeed.
    package var isRetryable: Bool {
        switch self {
        case .notMatched, .livenessFailed, .expired, .canceled, .superseded, .providerError, .providerUnavailable: true
        case .declined, .deniedNotMe, .tooManyAttempts, .accountBlocked: false
        }
    }

    /// Whether the code is a scan's verdict about the person.
    var isVerdictOnPerson: Bool {
        switch self {
        case .declined, .notMatched, .livenessFailed, .tooManyAttempts: true
        case .deniedNotMe, .expired, .canceled, .superseded, .providerError, .providerUnavailable, .accountBlocked:
            false
        }
    }
}
