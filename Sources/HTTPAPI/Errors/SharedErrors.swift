import HTTPTypes
import Kernel
import Operations

// The answers of the middleware and of every route.
extension APIError {
    static let notFound = APIError("not_found", "There is nothing at this address.", status: .notFound)

    static func methodNotAllowed(allowed: [HTTPRequest.Method]) -> APIError {
        APIError(
            "method_not_allowed",
            "This address takes \(allowed.map(\.rawValue).joined(separator: " or ")).",
            status: .methodNotAllowed,
            headers: [.allow: allowed.map(\.rawValue).joined(separator: ", ")]
        )
    }

    static func payloadTooLarge(limit: Int) -> APIError {
        APIError("payload_too_large", "The body is larger than \(limit) bytes.", status: .contentTooLarge)
    }

    static let unsupportedMediaType = APIError(
        "unsupported_media_type",
        "Send the body as application/json.",
        status: .unsupportedMediaType
    )
    static let requestTimeout = APIError(
        "request_timeout",
        "The body took too long to come. Send it again, at once and as a whole.",
        status: .requestTimeout,
        headers: [.connection: "close"]
    )
    static let incompleteBody = APIError(
        "incomplete_body",
        "The body ended before its time, or is not framed as its header says.",
        headers: [.connection: "close"]
    )
    static let malformedJSON = APIError("malformed_json", "The body is not a JSON object, or has a member twice.")

    static func invalidRequest(_ reason: String) -> APIError { APIError("invalid_request", reason) }

    static let invalidLimit = APIError("invalid_limit", "“limit” is a whole number from 1 to 50.")
    static let originNotAllowed = APIError(
        "origin_not_allowed",
        "Pages of this origin may not call this server; its operator can list it in listen.corsOrigins.",
        status: .forbidden,
        counted: .event(.originNotAllowed)
    )

    /// Returns the error for a caller over a limit.
    ///
    /// `limit`: The limit, where its refusals are counted with the answer.
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

    static let storeUnavailable = APIError(
        "store_unavailable",
        "The server can't write just now. Try again in a few seconds.",
        status: .serviceUnavailable,
        retryAfter: 5
    )
    static let internalError = APIError(
        "internal_error",
        "Something went wrong here. Quote the request id to the operator.",
        status: .internalServerError
    )
}

extension StoreError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        // An operator may restore a damaged file meanwhile: the caller is to come back.
        case .unavailable, .corrupt: .storeUnavailable
        case .conflict, .foreignTransaction: .internalError
        }
    }
}

extension StoreLookups.Exhausted: APIErrorConvertible {
    var apiError: APIError { .rateLimited(for: retryAfter) }
}

extension LimitExceededError: APIErrorConvertible {
    var apiError: APIError { .rateLimited(for: retryAfter) }
}
