package import Kernel

/// One enrolment attempt at a bank, from the `authUrl` to its success or failure.
package struct EnrolmentAttempt: Sendable, Equatable {
    /// SHA-256 of the `state`.
    package let state: Digest256
    package let account: AccountID
    package let session: SessionID
    package let bankID: String
    /// SHA-256 of the cookie that the callback is tied to.
    package let browser: Digest256?
    /// The encrypted code verifier for the bank (RFC 7636); empty once it was used.
    package var verifier: String
    package let redirectURI: String
    package let isMobile: Bool
    package let deepLink: String?
    package let needsConfirmation: Bool
    package var stage: Stage
    package let createdAt: Instant
    package var expiresAt: Instant

    package init(
        state: Digest256,
        account: AccountID,
        session: SessionID,
        bankID: String,
        browser: Digest256?,
        verifier: String,
        redirectURI: String,
        isMobile: Bool,
        deepLink: String?,
        needsConfirmation: Bool,
        stage: Stage = .pending,
        createdAt: Instant,
        expiresAt: Instant
    ) {
        self.state = state
        self.account = account
        self.session = session
        self.bankID = bankID
        self.browser = browser
        self.verifier = verifier
        self.redirectURI = redirectURI
        self.isMobile = isMobile
        self.deepLink = deepLink
        self.needsConfirmation = needsConfirmation
        self.stage = stage
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    package enum Stage: Sendable, Equatable {
        /// The person is at the bank.
        case pending
        /// The browser is back, and the bank is being asked.
        case arrived
        /// The person is asked for confirmation.
        ///
        /// `token` is the SHA-256 of the answer's token, and `held` the encrypted answer of the bank.
        case asking(token: Digest256, held: String)
        /// The attempt has ended; `token` is that of its question, so that a second answer is told from a forged one.
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
        attempt.verifier = ""
        return attempt
    }

    /// Returns the ended attempt, which keeps the token of its question.
    func ended() -> EnrolmentAttempt {
        guard case .asking(let token, _) = stage else { return at(.ended(token: nil)) }
        return at(.ended(token: token))
    }

    /// Returns the end of the attempt, for the app or the page.
    func end(_ outcome: EnrolmentEnd.Outcome, at bank: Bank) -> EnrolmentEnd {
        EnrolmentEnd(isMobile: isMobile, deepLink: deepLink, bankID: bank.id, bankName: bank.name, result: outcome)
    }
}
