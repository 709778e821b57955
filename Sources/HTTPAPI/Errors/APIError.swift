import HTTPTypes
import Hummingbird
import Operations
import TokenReading
import Wire

/// The error that a client receives for a request that is refused or fails.
///
/// Each one is declared once, in full, beside the feature that throws it. Codes are stable: docs/openapi.yaml lists
/// them, and a test compares the two.
struct APIError: Error, Equatable, Sendable {
    let code: String
    let status: HTTPResponse.Status
    let message: String
    /// The seconds for the header Retry-After (RFC 9110 §10.2.3).
    let retryAfter: Int?
    /// The seconds to leave between two polls from now on.
    let interval: Int?
    /// The fields of the answer beside those of every answer.
    let headers: HTTPFields
    /// The count that the refusal adds to; `nil` where its operation has a row, or nothing was refused.
    let counted: Counted?
    /// The fault of the DPoP proof, which OAuth's answers name.
    let proofError: DPoPError?

    /// A count of ``RefusalLog``.
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

    /// Whether nothing more can be read from the connection (RFC 9110 §15.5.9, RFC 9112 §9.6).
    var endsConnection: Bool { headers[.connection] == "close" }

    /// Returns the answer, with the one error body: errors are written nowhere else.
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

/// An error of a feature that clients are told about.
protocol APIErrorConvertible: Error {
    /// The error for the client; the cause stays in the log.
    var apiError: APIError { get }
}

extension APIError {
    /// Converts any error into the one for the client.
    ///
    /// `bodyLimit`: The largest body in bytes, where the request arrived.
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
    /// Counts a refusing answer, unless its cause was recorded before.
    ///
    /// Called only where answers are made: an invalid token refuses nobody on a route for everybody.
    func count(_ error: APIError) {
        switch error.counted {
        case .event(let event): count(event)
        case .limit(let limit): count(limit)
        case nil: return
        }
    }
}
