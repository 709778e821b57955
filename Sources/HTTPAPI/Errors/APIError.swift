import HTTPTypes
import Hummingbird
import Operations
import TokenReading
import Wire

/// The error that a client receives for a request that is refused or fails.
///
/// Each error is declared once, with code, status and message, beside the feature that throws it. Codes never change:
/// docs/openapi.yaml lists them, and a test compares them with the code.
struct APIError: Error, Equatable, Sendable {
    let code: String
    let status: HTTPResponse.Status
    let message: String
    /// The seconds for the header Retry-After (RFC 9110 §10.2.3).
    let retryAfter: Int?
    /// The seconds that the client has to leave between polls from now on.
    let interval: Int?
    /// The header fields in addition to those of every answer.
    let headers: HTTPFields
    /// The event or limit as which the refusal is counted; `nil` if a row records it, or nothing was refused.
    let counted: Counted?
    /// The error of the DPoP proof, which OAuth answers name.
    let proofError: DPoPError?

    /// A counter of ``RefusalLog``.
    enum Counted: Sendable, Equatable {
        case event(TalliedEvent)
        case limit(FixedLimit)
    }

    init(
        _ code: String,
        _ message: String,
        status: HTTPResponse.Status = .badRequest,
        retryAfter: Int? = nil,
        interval: Int? = nil,
        headers: HTTPFields = [:],
        counted: Counted? = nil,
        proofError: DPoPError? = nil
    ) {
        self.code = code
        self.status = status
        self.message = message
        self.retryAfter = retryAfter
        self.interval = interval
        self.headers = headers
        self.counted = counted
        self.proofError = proofError
    }

    /// Whether the connection closes because nothing more can be read from it (RFC 9110 §15.5.9, RFC 9112 §9.6).
    var endsConnection: Bool { headers[.connection] == "close" }

    /// Returns the answer with the common error body, which is written nowhere else.
    func response(requestID: String) -> Response {
        var response = JSONReply.encode(
            ProblemBody(code: code, message: message, requestId: requestID, interval: interval),
            status: status
        )
        response.headers.append(contentsOf: headers)
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }
}

/// An error of a feature that has a form for clients.
protocol APIErrorConvertible: Error {
    /// The error for the client; only the log gets the cause.
    var apiError: APIError { get }
}

extension APIError {
    /// Converts any error into the error for the client.
    ///
    /// `bodyLimit`: The largest body that the route accepts, in bytes.
    init(_ error: any Error, bodyLimit: Int) {
        switch error {
        case let error as APIError: self = error
        case let error as any APIErrorConvertible: self = error.apiError
        case let error as any HTTPResponseError where error.status == .notFound: self = .notFound
        case let error as any HTTPResponseError where error.status == .contentTooLarge:
            self = .payloadTooLarge(limit: bodyLimit)
        case let error as any HTTPResponseError where error.status.kind == .clientError:
            self = .invalidRequest("The request can’t be understood. Check its body and its fields.")
        default: self = .internalError
        }
    }
}

extension RefusalLog {
    /// Counts the answer to a refused request, unless the cause was recorded before.
    ///
    /// Called only for answers that are sent: a route for every caller ignores an invalid token, which refuses nobody.
    func count(_ error: APIError) {
        switch error.counted {
        case .event(let event): count(event)
        case .limit(let limit): count(limit)
        case nil: return
        }
    }
}
