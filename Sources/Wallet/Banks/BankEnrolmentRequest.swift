package import Kernel

/// A request to add the cards of a bank to the wallet.
package struct BankEnrolmentRequest: Sendable, Equatable {
    package let initiator: EnrolmentInitiator
    package let bank: Bank
    /// This server's callback for the bank, as it is registered at the bank.
    package let redirectURI: String
    /// The cookie of the starting browser, to which the callback is tied.
    ///
    /// It is `nil` for an app that opens its own browser, which has no cookie yet.
    package let browser: Secret?
    package let destination: EnrolmentDestination
    /// Whether an attempt without a ``browser`` needs a confirmation at its end (RFC 9700 §4.7).
    package let needsConfirmation: Bool

    package init(
        initiator: EnrolmentInitiator,
        bank: Bank,
        redirectURI: String,
        browser: Secret?,
        destination: EnrolmentDestination,
        needsConfirmation: Bool
    ) {
        self.initiator = initiator
        self.bank = bank
        self.redirectURI = redirectURI
        self.browser = browser
        self.destination = destination
        self.needsConfirmation = needsConfirmation
    }
}

/// The account that adds a bank's cards, and the session in which it does.
///
/// The session must still be active when the bank's cards arrive.
package struct EnrolmentInitiator: Sendable, Equatable {
    package let account: AccountID
    package let session: SessionID

    package init(account: AccountID, session: SessionID) {
        self.account = account
        self.session = session
    }
}

/// A started enrolment.
package struct StartedEnrolment: Sendable, Equatable {
    /// The bank's page, with the parameters of the request.
    package let authURL: String
    /// The time within which the callback is accepted.
    package let expiresIn: Duration
    /// The `state` that is in ``authURL``.
    package let state: Secret
}

/// The reason why an enrolment does not begin.
package enum BankEnrolmentError: Error, Equatable, Sendable {
    /// The session has ended, or its account is not active.
    case sessionOver
}
