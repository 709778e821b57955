/// The reason why a response is missing or unusable.
///
/// Its text holds no header or body, and only the host and port of a URL. So it may be logged.
package enum OutboundError: Error, Equatable, Sendable {
    /// No connection, so the request was not sent: unknown host, refused, TLS not trusted, or time-out.
    case connect(cause: String)
    /// The request timed out. The server may have carried it out.
    case timeout
    /// The body is larger than `limit` bytes. The rest was not read.
    case tooLarge(status: Int, limit: Int)
    /// The server redirected the request. Redirects are never followed: they would take credentials to another server.
    case redirected(status: Int)
    /// The connection broke, the response was not HTTP, or the request could not be sent as it is.
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
