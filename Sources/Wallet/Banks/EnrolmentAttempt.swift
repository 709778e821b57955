package import Kernel

/// One enrolment attempt at a bank, from the `authUrl` to its success or failure.
package struct EnrolmentAttempt: Sendable, Equatable {
    /// SHA-256 of the `state`.
    package let state: Digest256
    package let initiator: EnrolmentInitiator
    package let bankID: String
    package var redirect: Redirect
    package let destination: EnrolmentDestination
    package let needsConfirmation: Bool
    package var stage: Stage
    package var validity: ValidityPeriod

    package init(
        state: Digest256,
        initiator: EnrolmentInitiator,
        bankID: String,
        redirect: Redirect,
        destination: EnrolmentDestination,
        needsConfirmation: Bool,
        stage: Stage = .pending,
        validity: ValidityPeriod
    ) {
        self.state = state
        self.initiator = initiator
        self.bankID = bankID
        self.redirect = redirect
        self.destination = destination
        self.needsConfirmation = needsConfirmation
        self.stage = stage
        self.validity = validity
    }

    /// The redirect to the bank, as far as the callback and the request for tokens need it.
    package struct Redirect: Sendable, Equatable {
        package let redirectURI: String
        /// SHA-256 of the cookie that the callback is tied to.
        package let browser: Digest256?
        /// The encrypted code verifier for the bank (RFC 7636); empty once it was used.
        package var verifier: String

        package init(redirectURI: String, browser: Digest256?, verifier: String) {
            self.redirectURI = redirectURI
            self.browser = browser
            self.verifier = verifier
        }
    }

    package enum Stage: Sendable, Equatable {
        /// The person is at the bank's page.
        case pending
        /// The callback has come, and the bank is asked for tokens and cards.
        case arrived
        /// The person is asked for confirmation.
        ///
        /// `token` is SHA-256 of the token that the answer must have. `held` is the encrypted ``UnconfirmedEnrolment``.
        case asking(token: Digest256, held: String)
        /// The attempt has ended; `token` is that of its question, by which a second answer is told from a forged one.
        case ended(token: Digest256?)

        package var name: Name {
            switch self {
            case .pending: .pending
            case .arrived: .arrived
            case .asking: .asking
            case .ended: .ended
            }
        }

        package enum Name: String, Sendable, CaseIterable {
            case pending, arrived, asking, ended
        }
    }

    /// Returns the attempt at that stage, without its used verifier.
    func at(_ stage: Stage) -> EnrolmentAttempt {
        var attempt = self
        attempt.stage = stage
        attempt.redirect.verifier = ""
        return attempt
    }

    /// Returns the ended attempt, which keeps the token of its question.
    func ended() -> EnrolmentAttempt {
        guard case .asking(let token, _) = stage else { return at(.ended(token: nil)) }
        return at(.ended(token: token))
    }

    /// Returns the end of the attempt, for the app or the page.
    func end(_ outcome: EnrolmentEnd.Outcome, at bank: Bank) -> EnrolmentEnd {
        EnrolmentEnd(destination: destination, bankID: bank.id, bankName: bank.name, result: outcome)
    }
}
