/// The reason why an answer is missing or unusable.
///
/// Its text holds no header or body, and of a URL the host and the port alone, so that it may be logged.
package enum OutboundError: Error, Equatable, Sendable {
    /// No connection: unknown host, refused, TLS not trusted, too late. The request was not sent.
    case connect(cause: String)
    /// The request's time ran out. It may have been carried out.
    case timeout
    /// The body is larger than `limit` bytes; the rest was not read.
    case tooLarge(status: Int, limit: Int)
    /// The server wants the request sent elsewhere, which is never done: it would carry credentials there.
    case redirected(status: Int)
    /// The connection broke or the answer was not HTTP, or the request could not be sent as it is.
    case transport(cause: String)
    /// The caller's task was cancelled, or the client shut down.
    case cancelled
}

extension OutboundError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .connect(let cause): "no connection: \(cause)"
        case .timeout: "no complete answer in time"
        case .tooLarge(let status, let limit): "the answer (HTTP \(status)) is larger than \(limit) bytes"
        case .redirected(let status): "redirected (HTTP \(status)), which is not followed"
        case .transport(let cause): "the connection failed: \(cause)"
        case .cancelled: "cancelled"
        }
    }
}
