package import Kernel

/// An event of an operation.
package enum OperationEvent: Sendable, Equatable {
    /// A browser asked for the scan (a POST on the landing page).
    case openRequested(browser: Digest256)
    /// That provider has begun a scan for that browser.
    case scanStarted(ProviderReference, at: ProviderName, browser: Digest256)
    /// That provider's status of a scan was learnt.
    case observed(ScanStatus, of: ProviderReference, at: ProviderName)
    /// The deadline has come; the last contact with the provider tells whose fault that is.
    case deadlineReached(after: ProviderContact)
    /// Nobody collected the approval in time.
    case approvalWindowEnded
    /// The rightful caller collects.
    case redeemRequested(Grant)
    /// The caller has the tokens, or used them.
    case acknowledged
    /// The time for handing the same grant out again is over.
    case redemptionWindowEnded
    /// The caller canceled it.
    case cancelRequested
    /// The same person started a newer one.
    case superseded
    /// Somebody typed another number than the one that the app shows.
    case numberMismatched
    /// Somebody typed the number that the app shows.
    case numberMatched
    /// The browser came back from the provider; the app is to collect with that code.
    case returned(code: Digest256)
    /// The account was disabled or its device revoked.
    case accountBlocked
    /// The person says that it was somebody else.
    case deniedNotMe

    /// The events' names, as docs/operations.mermaid writes them.
    package enum Name: String, Sendable, CaseIterable {
        case openRequested = "open_requested"
        case scanStarted = "scan_started"
        case observed
        case deadlineReached = "deadline_reached"
        case approvalWindowEnded = "approval_window_ended"
        case redeemRequested = "redeem_requested"
        case acknowledged
        case redemptionWindowEnded = "redemption_window_ended"
        case cancelRequested = "cancel_requested"
        case superseded
        case numberMismatched = "number_mismatched"
        case numberMatched = "number_matched"
        case returned
        case accountBlocked = "account_blocked"
        case deniedNotMe = "denied_not_me"
    }

    package var name: Name {
        switch self {
        case .openRequested: .openRequested
        case .scanStarted: .scanStarted
        case .observed: .observed
        case .deadlineReached: .deadlineReached
        case .approvalWindowEnded: .approvalWindowEnded
        case .redeemRequested: .redeemRequested
        case .acknowledged: .acknowledged
        case .redemptionWindowEnded: .redemptionWindowEnded
        case .cancelRequested: .cancelRequested
        case .superseded: .superseded
        case .numberMismatched: .numberMismatched
        case .numberMatched: .numberMatched
        case .returned: .returned
        case .accountBlocked: .accountBlocked
        case .deniedNotMe: .deniedNotMe
        }
    }
}
