import HTTPTypes
import Kernel
import Operations

// The answers of the middleware and of every route.
extension APIError {
    /// No route has this path, or its surface is switched off.
    ///
    /// What to do: Correct the address. The operator can switch a surface on in the config.
    static let notFound = APIError("not_found", "This address is not served here.", status: .notFound)

    /// The path has no route of this method.
    ///
    /// What to do: Use a method of the header `Allow`.
    static func methodNotAllowed(allowed: [HTTPRequest.Method]) -> APIError {
        APIError(
            "method_not_allowed",
            "This address takes \(allowed.map(\.rawValue).joined(separator: " or ")).",
            status: .methodNotAllowed,
            headers: [.allow: allowed.map(\.rawValue).joined(separator: ", ")]
        )
    }

    /// The body is larger than the route takes.
    ///
    /// What to do: Send a smaller body.
    static func payloadTooLarge(limit: Int) -> APIError {
        APIError(
            "payload_too_large",
            "The body is larger than \(limit) bytes. Send a smaller one.",
            status: .contentTooLarge
        )
    }

    /// The body is not declared as JSON.
    ///
    /// What to do: Send `Content-Type: application/json`.
    static let unsupportedMediaType = APIError(
        "unsupported_media_type",
        "Send the body as application/json.",
        status: .unsupportedMediaType
    )

    /// The body did not come whole in time, and the connection is closed.
    ///
    /// What to do: Send the request again on a new connection.
    static let requestTimeout = APIError(
        "request_timeout",
        "The body took too long to arrive. Send the request again, with the whole body at once.",
        status: .requestTimeout,
        headers: [.connection: "close"]
    )

    /// The body broke off or is framed wrongly, and the connection is closed.
    ///
    /// What to do: Send the request again on a new connection.
    static let incompleteBody = APIError(
        "incomplete_body",
        "The body broke off, or its length is not the one in the header. Send the request again.",
        headers: [.connection: "close"]
    )

    /// The body is not a JSON object, or names a member twice.
    ///
    /// What to do: Correct the client.
    static let malformedJSON = APIError(
        "malformed_json",
        "The body is not a JSON object, or has a member twice. Send one object with each member once."
    )

    /// A member, parameter or header is missing, or has a value that is not allowed.
    ///
    /// What to do: Correct the client as the message says.
    static func invalidRequest(_ reason: String) -> APIError { APIError("invalid_request", reason) }

    /// The length of the list is out of bounds.
    ///
    /// What to do: Correct the client: 1 to 50.
    static let invalidLimit = APIError("invalid_limit", "“limit” must be a whole number from 1 to 50.")

    /// A page of another website called the server.
    ///
    /// What to do: Have the operator list the page's origin in `listen.corsOrigins`.
    static let originNotAllowed = APIError(
        "origin_not_allowed",
        "Pages of this origin may not call this server. The operator can list the origin in listen.corsOrigins.",
        status: .forbidden,
        counted: .event(.originNotAllowed)
    )

    /// A limit of requests is reached, for the caller, the account or the server.
    ///
    /// What to do: Wait for the seconds of `Retry-After`.
    ///
    /// `limit`: The limit that is exceeded, if its refusals are counted with the answer.
    static func rateLimited(for wait: Duration, by limit: FixedLimit? = nil) -> APIError {
        let seconds = Int(max(1, wait.secondsRoundedUp))
        return APIError(
            "rate_limited",
            "Too many requests. Try again in \(seconds) s.",
            status: .tooManyRequests,
            retryAfter: seconds,
            counted: limit.map(Counted.limit)
        )
    }

    /// The database cannot be written at the moment.
    ///
    /// What to do: Wait for the seconds of `Retry-After`. The operator finds the cause in the log.
    static let storeUnavailable = APIError(
        "store_unavailable",
        "The server can't write just now. Try again in a few seconds.",
        status: .serviceUnavailable,
        retryAfter: 5
    )

    /// The server failed in a way that it did not expect.
    ///
    /// What to do: Report the `requestId` to the operator, who finds it in the log.
    static let internalError = APIError(
        "internal_error",
        "Something went wrong here. Quote the request id to the operator.",
        status: .internalServerError
    )
}

extension StoreError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        // An operator may restore a damaged database file, so the client should try again later.
        case .unavailable, .corrupt: .storeUnavailable
        case .conflict, .foreignTransaction: .internalError
        }
    }
}

extension StoreLookups.BudgetExceededError: APIErrorConvertible {
    var apiError: APIError { .rateLimited(for: retryAfter) }
}

extension LimitExceededError: APIErrorConvertible {
    var apiError: APIError { .rateLimited(for: retryAfter) }
}
