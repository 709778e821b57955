/// The content of `pages/sign-in-wait.mustache`, which waits for a scan.
struct SignInWaitContent: Sendable {
    let title: String
    let page: String
    let secondsLeft: Int64
    let place: Place
    let steps: [Step]
    let status: String?
    let cancel: String

    /// The device of the scan, and the way there.
    struct Place: Sendable {
        /// The digits to type on another device; `nil` for a scan on this one, and once they were typed.
        let number: String?
        /// The address of the scan's page; `nil` for a browser without the cookie that has its ticket.
        let scan: String?
        /// Whether the scan was opened on another device, so that the page no longer leads there.
        let isThere: Bool
        /// Whether the scan is on this device.
        let isHere: Bool
    }

    struct Step: Sendable {
        let name: String
        let isPast: Bool
        let isNow: Bool
    }
}

/// The content of `pages/sign-in-failed.mustache`, for a failed scan.
struct SignInFailedContent: Sendable {
    let title: String
    let code: String
    let sentence: String
    let page: String
    let cancel: String
}

/// The content of `pages/sign-in-consent.mustache`, which asks for consent.
struct SignInConsentContent: Sendable {
    let title: String
    let lead: String
    let scopes: ScopeList?
    let detailList: DetailList
    let warning: String?
    /// The label of the button that agrees.
    let agree: String
    /// The keyed hash of the account in the form.
    let mark: String
    let page: String
}

/// The content of `pages/sign-in-onward.mustache`, which continues at another address.
struct SignInOnwardContent: Sendable {
    let title: String
    let next: String
}

/// The content of `pages/sign-in-notice.mustache`, which has no buttons.
struct SignInNoticeContent: Sendable {
    let title: String
    let lead: String
    /// Whether screen readers announce the sentence.
    var isLive = false
    /// The address of the page that begins again; `nil` without one.
    var start: String?
}
