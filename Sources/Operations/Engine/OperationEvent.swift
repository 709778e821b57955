package import Kernel

/// An event of an operation.
package enum OperationEvent: Sendable, Equatable {
    /// A browser requested the scan (a POST on the landing page).
    case openRequested(browser: Digest256)
    /// A provider has begun a scan for a browser.
    case scanStarted(ProviderReference, at: ProviderName, browser: Digest256, page: EncryptedScanPage? = nil)
    /// The provider reported the status of a scan.
    case observed(ScanStatus, of: ProviderReference, at: ProviderName)
    /// The deadline has passed. The last contact tells whether the provider caused that.
    case deadlineReached(after: ProviderContact)
    /// The approval was not collected in time.
    case approvalWindowEnded
    /// The rightful caller collects.
    case redeemRequested(Grant)
    /// The caller confirmed that it has the tokens, or has used them.
    case acknowledged
    /// The time for collecting the same grant again has ended.
    case redemptionWindowEnded
    /// The caller canceled the operation.
    case cancelRequested
    /// The same person started a newer operation.
    case superseded
    /// A wrong pairing number was typed.
    case numberMismatched
    /// The right pairing number was typed.
    case numberMatched
    /// The browser came back from the provider, with a code that the app's collection must present.
    case returned(code: Digest256)
    /// The account was disabled or its device revoked.
    case accountBlocked
    /// The person says that somebody else started the operation.
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
