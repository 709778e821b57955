package import Kernel

/// What somebody asks for who wants to bring the cards of a bank into the wallet.
package struct BankEnrolmentRequest: Sendable, Equatable {
    package let account: AccountID
    package let session: SessionID
    package let bank: Bank
    /// Our callback of that bank, as the bank has it registered.
    package let redirectURI: String
    /// What the cookie of the browser holds that starts it, to which the way back is tied.
    ///
    /// `nil` for an app that opens a browser of its own, where there is no cookie yet.
    package let browser: Secret?
    /// Whether it ends in the app, and not on a page.
    package let isMobile: Bool
    /// Where in the app; one of the operator's list.
    package let deepLink: String?
    /// Whether an attempt without a ``browser`` asks the person at its end (RFC 9700 §4.7).
    package let needsConfirmation: Bool

    package init(
        account: AccountID,
        session: SessionID,
        bank: Bank,
        redirectURI: String,
        browser: Secret?,
        isMobile: Bool,
        deepLink: String?,
        needsConfirmation: Bool
    ) {
        self.account = account
        self.session = session
        self.bank = bank
        self.redirectURI = redirectURI
        self.browser = browser
        self.isMobile = isMobile
        self.deepLink = deepLink
        self.needsConfirmation = needsConfirmation
    }
}

/// An enrolment that has begun.
package struct StartedEnrolment: Sendable, Equatable {
    /// The bank's page, with the parameters of the request.
    package let authURL: String
    /// How long the way back is open.
    package let expiresIn: Duration
    /// The `state` that is in ``authURL``.
    package let state: Secret
}

/// Why no enrolment begins.
package enum BankEnrolmentError: Error, Equatable, Sendable {
    /// The session or its account is over.
    case sessionOver
}
