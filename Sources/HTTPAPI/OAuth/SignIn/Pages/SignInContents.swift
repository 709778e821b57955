/// The content of `pages/sign-in-choice.mustache`, which offers ways to sign in.
struct SignInChoiceContent: Sendable {
    let title: String
    let lead: String
    /// The address of the page itself.
    let page: String
    let offersPasskey: Bool
    let offersFace: Bool
    /// The e-mail address in the field.
    let email: String
    let fault: String?
    let cancel: String
}

/// The content of `pages/sign-in-wait.mustache`, which waits for a scan.
struct SignInWaitContent: Sendable {
    let title: String
    let page: String
    let secondsLeft: Int64
    /// The digits to type on another device; `nil` for a scan on this one.
    let number: String?
    /// The address of the scan's page; `nil` for a browser without the cookie that has its ticket.
    let scan: String?
    let steps: [Step]
    let status: String?
    let cancel: String

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
}
