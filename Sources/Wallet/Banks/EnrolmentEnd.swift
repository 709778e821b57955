package import CodeFlow
package import Kernel

/// The outcome of a bank's callback.
package enum CallbackOutcome: Sendable, Equatable {
    case ended(EnrolmentEnd)
    /// The person must be asked whether these cards belong in that wallet.
    ///
    /// The answer must have `token`, which is valid once. The browser keeps the token in a cookie too, and only that
    /// browser can be shown the question again.
    case confirm(token: Secret, account: AccountID, bank: Bank, cards: [BankCard])
    /// The callback is refused with a page, never with a redirect.
    ///
    /// A state presented with the wrong bank, browser, account or issuer is used up.
    case refused(CallbackError)
}

/// The end of an enrolment, for the app or the page.
package struct EnrolmentEnd: Sendable, Equatable {
    package let destination: EnrolmentDestination
    package let bankID: String
    package let bankName: String
    package let result: Outcome

    package enum Outcome: Sendable, Equatable {
        /// The number of the bank's cards in the wallet.
        case success(cardCount: Int)
        case failure(BankLinkError)
    }

    /// Returns the app's address with the outcome; `nil` if the enrolment ends on a page.
    ///
    /// Apps expect either `success=false` or `error=`, so a failure has both.
    package func link() -> String? {
        guard case .app(let deepLink?) = destination else { return nil }
        switch result {
        case .success(let cardCount):
            return QueryText.add(
                [("success", "true"), ("bsimId", bankID), ("bankName", bankName), ("cardCount", String(cardCount))],
                to: deepLink
            )
        case .failure(let fault):
            return QueryText.add(
                [("success", "false"), ("error", fault.rawValue), ("message", fault.message), ("bsimId", bankID)],
                to: deepLink
            )
        }
    }
}

/// Where an enrolment ends.
package enum EnrolmentDestination: Sendable, Equatable {
    case page
    /// The app, at one of the operator's addresses; without one the enrolment ends on the page.
    case app(deepLink: String?)
}

/// The reason, as the app gets it, why an enrolment added no cards.
package enum BankLinkError: String, Error, Sendable, CaseIterable {
    /// The person cancelled, at the bank or here.
    case userCancelled = "user_cancelled"
    /// The bank does not answer, or its answer can't be used.
    case bankUnavailable = "bank_unavailable"
    case bankRefused = "bank_refused"
    case stateExpired = "state_expired"
    case stateUsed = "state_used"
    /// The session that began the enrolment has ended since, or the account is closed.
    case accountUnavailable = "account_unavailable"

    /// The message in English, for the app's alert.
    package var message: String {
        switch self {
        case .userCancelled: "The bank was not added. Start again when you are ready."
        case .bankUnavailable: "The bank can’t be reached just now. Try again later."
        case .bankRefused: "The bank refused. Start again, or ask the bank."
        case .stateExpired: "That took too long. Start again."
        case .stateUsed: "This was already finished. Start again if the cards are missing."
        case .accountUnavailable: "Your session is over. Sign in again."
        }
    }
}

extension BankLinkError {
    /// Maps a bank's error code (RFC 6749 §4.1.2.1).
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
