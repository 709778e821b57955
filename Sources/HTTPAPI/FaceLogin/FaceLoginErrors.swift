import HTTPTypes
import Operations

// The answers of the routes of operations, their clients and their webhooks.
extension APIError {
    /// The request names no client, and the server has no default one.
    ///
    /// What to do: Send `clientId` or `X-Client-Id`.
    static let clientRequired = APIError(
        "client_required",
        "The request names no client. Send “clientId” in the body, or the header X-Client-Id."
    )

    /// The config has no client of that name.
    ///
    /// What to do: Correct the client's name, or add it to the config.
    static let unknownClient = APIError("unknown_client", "The client is unknown. Check “clientId”.")

    /// The client signs nobody in at the route's surface.
    ///
    /// What to do: Use a route of the client's own surface, or correct `surfaces` in the config.
    static let clientNotAllowed = APIError(
        "client_not_allowed",
        "This client can’t sign people in here. Use a route of the client’s own surface."
    )

    /// No operation has this id: it never was, or ended long ago.
    ///
    /// What to do: Start a new one.
    static let operationNotFound = APIError(
        "operation_not_found",
        "The operation is unknown or ended long ago. Start a new one.",
        status: .notFound
    )

    /// The code challenge is not a SHA-256 in base64url.
    ///
    /// What to do: Correct the client (RFC 7636 §4.2).
    static let invalidCodeChallenge = APIError(
        "invalid_code_challenge",
        "“codeChallenge” is not the base64url SHA-256 of a verifier: 43 characters without padding."
    )

    /// The method of the code challenge is not S256.
    ///
    /// What to do: Correct the client: send `S256`.
    static let unsupportedChallengeMethod = APIError(
        "unsupported_challenge_method",
        "“codeChallengeMethod” can only be S256."
    )

    /// The client's config asks for a code challenge, and the start had none.
    ///
    /// What to do: Correct the client: send a `codeChallenge`, and its verifier with each poll.
    static let verifierRequired = APIError("verifier_required", "This client has to send a “codeChallenge” (S256).")

    /// The mode of the login is not a known one.
    ///
    /// What to do: Correct the client: send `same-device` or `cross-device`.
    static let invalidMode = APIError("invalid_mode", "“mode” can only be same-device or cross-device.")

    /// The client's config asks for the browser's return, which a cross-device login does not have.
    ///
    /// What to do: Leave `mode` out.
    static let modeNotOffered = APIError(
        "mode_not_offered",
        "This client takes a login only in the browser that comes back to it (requireReturn): leave “mode” out."
    )

    /// The return address is not in the client's config.
    ///
    /// What to do: Have the operator list it in the client's `returnURLs`. It is compared whole.
    static let invalidReturnURL = APIError("invalid_return_url", "“returnUrl” is not one of this client’s returnURLs.")

    /// The wait of a long poll is out of bounds.
    ///
    /// What to do: Correct the client: 1 to 30.
    static let invalidWait = APIError("invalid_wait", "“wait” must be a whole number of seconds from 1 to 30.")

    /// The same login is polled too often.
    ///
    /// What to do: Leave the seconds of `interval` between two polls, or use `wait`.
    static func slowDown(interval: Int) -> APIError {
        APIError(
            "slow_down",
            "This login is polled too often. Leave \(interval) s between two polls.",
            status: .tooManyRequests,
            retryAfter: interval,
            interval: interval
        )
    }

    /// The webhook's signature is missing, or of an unknown key.
    ///
    /// What to do: Give the provider and the config the same secret.
    static let webhookNotVerified = APIError(
        "webhook_not_verified",
        "The signature is missing, or was not made with a key of this webhook. Check the webhook’s secret.",
        status: .unauthorized,
        // No scheme is registered for proofs of webhooks, but the header field must be present.
        headers: [.wwwAuthenticate: "WebhookSignature"]
    )

    /// The webhook's timestamp is too far from the server's time.
    ///
    /// What to do: Correct the clock of the sender or of the server.
    static let webhookStale = APIError(
        "webhook_stale",
        "The webhook’s time is too far from the server’s. Check the clocks of both."
    )
}

extension APIError.Unproven {
    /// The request has none of the proofs that tie an operation to its caller.
    static let operation = Self(
        "This request needs a proof. Send the code verifier, the cookie of the start, or a token of the session.",
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
