import HTTPTypes
import Wallet

// The errors of the routes of banks and their cards.
extension APIError {
    static let bankNotFound = APIError("bank_not_found", "There is no such bank here.", status: .notFound)
    static let deepLinkNotAllowed = APIError(
        "deep_link_not_allowed",
        "“deepLink” is not among the addresses that the operator lists in wallet.deepLinks. They are compared whole."
    )
    static let cardNotFound = APIError("card_not_found", "There is no such card in your wallet.", status: .notFound)
    static let bankNotEnrolled = APIError(
        "bank_not_enrolled",
        "This bank is not in your wallet. Add it first.",
        status: .notFound
    )
    static let bankSignInNeeded = APIError(
        "bank_sign_in_needed",
        "The bank no longer lets your wallet in. Add it again, which keeps its cards.",
        status: .conflict
    )

    /// `isUnusable` tells that the bank answers, but its answer cannot be used.
    static func bankUnavailable(isUnusable: Bool) -> APIError {
        APIError(
            "bank_unavailable",
            isUnusable
                ? "The bank’s answer can't be used. Try again later." : "The bank does not answer. Try again later.",
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
