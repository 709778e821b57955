/// The reason for which one request to the server failed.
///
/// It never depends on the person's face scan.
public enum NetworkError: Error, Sendable, Equatable {
    /// There is no connection. The text is the system's, for a log.
    case unreachable(String)
    /// The answer was not complete in time.
    case timedOut
    /// The server's certificate was refused.
    case untrustedServer
    /// The answer was longer than 64 KiB.
    case answerTooLarge
    /// The answer is not one of the API's.
    case unreadableAnswer
    /// The server answered with a status that means "later" (5xx).
    case serverUnavailable(status: Int)
    /// The request was cancelled with its task.
    case interrupted

    /// Whether the same request may succeed a moment later.
    var mayPass: Bool {
        switch self {
        case .unreachable, .timedOut, .unreadableAnswer, .serverUnavailable, .interrupted: true
        case .untrustedServer, .answerTooLarge: false
        }
    }

    /// A sentence for the person.
    var explanation: String {
        switch self {
        case .unreachable: "The server could not be reached."
        case .timedOut: "The server took too long to answer."
        case .untrustedServer: "The server's certificate is not trusted."
        case .answerTooLarge, .unreadableAnswer: "The server sent an answer that could not be understood."
        case .serverUnavailable(let status): "The server is not available at the moment (HTTP \(status))."
        case .interrupted: "The request was interrupted."
        }
    }
}
