/// How a scan ends: what the buttons of the page, the control API, scenarios and magic addresses can ask for.
package enum Outcome: String, CaseIterable, Codable, Sendable {
    case accept
    case rejectMatch = "reject_match"
    case rejectLiveness = "reject_liveness"
    case rejectBoth = "reject_both"
    case decline
    case expire
    case error
    case cancel

    /// The provider's status number for it.
    package var status: ProviderStatus {
        switch self {
        case .accept: .accepted
        case .rejectMatch, .rejectLiveness, .rejectBoth, .decline: .rejected
        case .expire: .expired
        case .error: .failed
        case .cancel: .canceled
        }
    }

    /// The provider's `Message`: the only place where a rejection says why.
    package var message: String {
        switch self {
        case .accept: "Authorized."
        case .rejectMatch: "Not authorized. Biometry verification failed."
        case .rejectLiveness: "Not authorized. Liveness detection failed."
        case .rejectBoth: "Not authorized. Biometry verification failed. Liveness detection failed."
        case .decline: "Not authorized."
        case .expire: "Expired."
        case .error: "Internal error."
        case .cancel: "Canceled."
        }
    }
}

/// `Status` of a transaction or an operation, with authID's numbers.
package enum ProviderStatus: Int, CaseIterable, Sendable {
    case pending = 0
    case accepted = 1
    case rejected = 2
    case expired = 3
    case failed = 4
    case canceled = 5

    /// The name that the control API shows.
    package var name: String {
        switch self {
        case .pending: "pending"
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .expired: "expired"
        case .failed: "error"
        case .canceled: "canceled"
        }
    }
}
