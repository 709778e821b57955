import Foundation
import Wire

/// The result of one request, by what the caller should do next.
enum Reply: Sendable, Equatable {
    /// The server answered 200 with that body.
    case answered(Data)
    /// There is no usable answer. Repeat the request, but not before `retryAfter`.
    case faulted(NetworkError, retryAfter: Duration?)
    /// The server is busy (429, 408, `slow_down`). Repeat the request, but not before `retryAfter`.
    case busy(ServerError, retryAfter: Duration?)
    /// The server refused the request. It would refuse a repetition as well.
    case refused(ServerError)

    /// Classifies an answer.
    ///
    /// `now` is used for a `Retry-After` that is a date (RFC 9110 §10.2.3).
    init(_ response: ClientResponse, now: Date) {
        let pause = response.headers["retry-after"].flatMap { Self.pause($0, now: now) }
        let refusal = ServerError(response)
        self =
            switch response.status {
            case 200: .answered(response.body)
            case 408, 429: .busy(refusal, retryAfter: pause)
            case 500...599: .faulted(.serverUnavailable(status: response.status), retryAfter: pause)
            default: refusal.code == "slow_down" ? .busy(refusal, retryAfter: pause) : .refused(refusal)
            }
    }

    /// The longest pause that a server may ask for.
    ///
    /// After a longer one, most of the login's time would be over.
    static let longestPause = Duration.seconds(30)

    private static func pause(_ field: String, now: Date) -> Duration? {
        let text = field.trimmingCharacters(in: .whitespaces)
        let seconds: Double
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            seconds = Double(text) ?? 0
        } else if let date = CookieDate.parse(text) {
            seconds = max(0, date.timeIntervalSince(now))
        } else {
            return nil
        }
        return min(.seconds(min(seconds, 3600)), longestPause)
    }
}

extension ServerError {
    /// Creates the error from the API's error body, or from the status if the answer is not the API's, but a proxy's
    /// for example.
    init(_ response: ClientResponse) {
        let problem = try? JSONDecoder().decode(ProblemBody.self, from: response.body)
        self.init(
            status: response.status,
            code: problem?.code ?? "http_\(response.status)",
            message: problem?.message ?? "The server refused the request (HTTP \(response.status)).",
            requestId: problem?.requestId ?? response.headers["x-request-id"]
        )
    }
}
