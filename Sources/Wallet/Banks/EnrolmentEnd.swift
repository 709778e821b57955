package import CodeFlow
package import Kernel

/// What a callback of a bank comes to.
package enum CallbackOutcome: Sendable, Equatable {
    case ended(EnrolmentEnd)
    /// The person is to be asked whether these cards belong into that wallet.
    ///
    /// The answer brings `token`, which is good once; the browser keeps it in a cookie as well, by which the question is
    /// shown again to it and to nobody else.
    case confirm(token: Secret, account: AccountID, bank: Bank, cards: [BankCard])
    /// A page, and never a redirect.
    ///
    /// A state that was shown to the wrong bank, browser, account or issuer is used up by that.
    case refused(CallbackError)
}

/// How an enrolment ended that was this server's own, for the app or the page that is told.
package struct EnrolmentEnd: Sendable, Equatable {
    package let isMobile: Bool
    package let deepLink: String?
    package let bankID: String
    package let bankName: String
    package let result: Outcome

    package enum Outcome: Sendable, Equatable {
        /// How many cards of the bank are in the wallet now.
        case success(cardCount: Int)
        case failure(BankLinkError)
    }

    /// The app's address with the outcome, in both dialects of the apps: `success=false` and `error=` go together.
    ///
    /// `nil` where the end is a page.
    package func link() -> String? {
        guard isMobile, let deepLink else { return nil }
        switch result {
        case .success(let cardCount):
            return QueryText.add(
                [
                    ("success", "true"), ("bsimId", bankID), ("bankName", bankName), ("cardCount", String(cardCount)),
                ],
                to: deepLink
            )
        case .failure(let fault):
            return QueryText.add(
                [
                    ("success", "false"), ("error", fault.rawValue), ("message", fault.message), ("bsimId", bankID),
                ],
                to: deepLink
            )
        }
    }
}

/// Why an enrolment brought no cards, as the app is told.
package enum BankLinkError: String, Error, Sendable, CaseIterable {
    /// The person said no, at the bank or here.
    case userCancelled = "user_cancelled"
    /// The bank does not answer, or not so that it can be used.
    case bankUnavailable = "bank_unavailable"
    case bankRefused = "bank_refused"
    case stateExpired = "state_expired"
    case stateUsed = "state_used"
    /// Whoever began is signed out since, or the account is closed.
    case accountUnavailable = "account_unavailable"

    /// In English, for the app's alert.
    package var message: String {
        switch self {
        case .userCancelled: "The bank was not added."
        case .bankUnavailable: "The bank can't be reached just now."
        case .bankRefused: "The bank refused."
        case .stateExpired: "That took too long. Please start again."
        case .stateUsed: "That was finished already."
        case .accountUnavailable: "Please sign in again."
        }
    }
}

extension BankLinkError {
    /// What a bank's word comes to (RFC 6749 §4.1.2.1).
    init(bankError: String) {
        self =
            switch bankError {
            case "access_denied": .userCancelled
            case "server_error", "temporarily_unavailable": .bankUnavailable
            default: .bankRefused
            }
    }

    init(_ failure: BankError) {
        self =
            switch failure {
            case .unavailable, .unusable: .bankUnavailable
            case .refused: .bankRefused
            }
    }
}
