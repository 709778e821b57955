import HTTPTypes
import Operations

// The answers of the routes of operations, their clients and their webhooks.
extension APIError {
    static let clientRequired = APIError(
        "client_required",
        "Name the client: “clientId” in the body or the header X-Client-Id."
    )
    static let unknownClient = APIError("unknown_client", "There is no client of that name.")
    static let clientNotAllowed = APIError("client_not_allowed", "This client does not sign people in here.")
    static let operationNotFound = APIError(
        "operation_not_found",
        "There is no such operation; it may be long over. Start a new one.",
        status: .notFound
    )
    static let invalidCodeChallenge = APIError(
        "invalid_code_challenge",
        "“codeChallenge” is not the base64url SHA-256 of a verifier: 43 characters without padding."
    )
    static let unsupportedChallengeMethod = APIError(
        "unsupported_challenge_method",
        "“codeChallengeMethod” can only be S256."
    )
    static let verifierRequired = APIError("verifier_required", "This client has to send a “codeChallenge” (S256).")
    static let invalidMode = APIError("invalid_mode", "“mode” can only be same-device or cross-device.")
    static let modeNotOffered = APIError(
        "mode_not_offered",
        "This client takes a login only in the browser that comes back to it (requireReturn): leave “mode” out."
    )
    static let invalidReturnURL = APIError("invalid_return_url", "“returnUrl” is not one of this client’s returnURLs.")
    static let invalidWait = APIError("invalid_wait", "“wait” is a whole number of seconds from 1 to 30.")

    static func slowDown(interval: Int) -> APIError {
        APIError(
            "slow_down",
            "You poll too fast. Leave \(interval) s between two polls.",
            status: .tooManyRequests,
            retryAfter: interval,
            interval: interval
        )
    }

    static let webhookNotVerified = APIError(
        "webhook_not_verified",
        "The signature is missing, or none of the keys of this webhook made it.",
        status: .unauthorized,
        // No scheme is registered for proofs of webhooks; the field must be present all the same.
        headers: [.wwwAuthenticate: "WebhookSignature"]
    )
    static let webhookStale = APIError(
        "webhook_stale",
        "The webhook was sent at another time than now; is the sender’s clock right?"
    )
}

extension APIError.Unproven {
    /// The proof that ties an operation to its caller.
    static let operation = Self(
        "This needs the code verifier, the cookie of the start, or a token of the session.",
        challenge: bothChallenges,
        event: nil
    )
}

extension ClientDirectory.ValidationError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .required: .clientRequired
        case .unknown: .unknownClient
        case .elsewhere: .clientNotAllowed
        }
    }
}
