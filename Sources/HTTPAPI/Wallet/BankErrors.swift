import HTTPTypes
import Wallet

// The errors of the routes of banks and their cards.
extension APIError {
    /// The config has no bank of that id.
    ///
    /// What to do: List the banks again.
    static let bankNotFound = APIError(
        "bank_not_found",
        "The bank is unknown here. List the banks again.",
        status: .notFound
    )

    /// The app's return address is not in the config.
    ///
    /// What to do: Have the operator list it in `wallet.deepLinks`.
    static let deepLinkNotAllowed = APIError(
        "deep_link_not_allowed",
        "“deepLink” is not among the addresses that the operator lists in wallet.deepLinks. They are compared whole."
    )

    /// The wallet has no card of that id.
    ///
    /// What to do: List the cards again.
    static let cardNotFound = APIError(
        "card_not_found",
        "Your wallet does not have this card. List the cards again.",
        status: .notFound
    )

    /// The wallet has no link to the bank.
    ///
    /// What to do: Offer to add the bank.
    static let bankNotEnrolled = APIError(
        "bank_not_enrolled",
        "This bank is not in your wallet. Add it first.",
        status: .notFound
    )

    /// The bank's grant has expired or was withdrawn.
    ///
    /// What to do: Let the person add the bank again.
    static let bankSignInNeeded = APIError(
        "bank_sign_in_needed",
        "The bank no longer gives your wallet access. Add the bank again, which keeps its cards.",
        status: .conflict
    )

    /// The bank does not answer, or its answer is unusable.
    ///
    /// What to do: Try again later, after `Retry-After` where it is present.
    ///
    /// `isUnusable`: Whether the bank answers, but its answer cannot be used.
    static func bankUnavailable(isUnusable: Bool) -> APIError {
        APIError(
            "bank_unavailable",
            isUnusable
                ? "The bank’s answer is not usable. Try again later." : "The bank does not answer. Try again later.",
            status: isUnusable ? .badGateway : .serviceUnavailable,
            retryAfter: isUnusable ? nil : 30
        )
    }
}

extension SyncError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .notEnrolled: .bankNotEnrolled
        case .signInNeeded: .bankSignInNeeded
        case .unavailable: .bankUnavailable(isUnusable: false)
        case .unusable: .bankUnavailable(isUnusable: true)
        }
    }
}

extension BankEnrolmentError: APIErrorConvertible {
    var apiError: APIError { .unauthorized(.badToken) }
}
