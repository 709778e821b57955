public import Foundation

/// Carries one request to the server, and returns its answer.
///
/// The SDK's own is ``URLSessionTransport``.
///
/// An implementation follows no redirect, keeps no cookies and no cache of its own, and refuses an answer over
/// ``ClientResponse/largestBody`` bytes. It gives up after ``ClientRequest/timeout`` whatever happens, and stops early
/// with ``NetworkError/interrupted`` when the task is cancelled. The deadline of a sign-in holds only if it does.
public protocol HTTPTransport: Sendable {
    /// The answer, whatever its status.
    func send(_ request: ClientRequest) async throws(NetworkError) -> ClientResponse
}

/// A request of the SDK.
public struct ClientRequest: Sendable, Equatable {
    /// The methods that the API uses.
    public enum Method: String, Sendable {
        /// Reads.
        case get = "GET"
        /// Changes something.
        case post = "POST"
    }

    /// The method.
    public let method: Method
    /// The whole address.
    public let url: URL
    /// The header fields, `Cookie` among them.
    public let headers: [String: String]
    /// The body of a POST.
    public let body: Data?
    /// From the start to the last byte of the answer.
    public let timeout: Duration

    /// A request.
    public init(method: Method, url: URL, headers: [String: String], body: Data?, timeout: Duration) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// An answer of the server.
public struct ClientResponse: Sendable, Equatable {
    /// The longest body that a transport accepts: 64 KiB, many times the size of the API's answers.
    public static let largestBody = 64 * 1024

    /// The HTTP status.
    public let status: Int
    /// The header fields under lower-case names.
    ///
    /// One value may hold several `Set-Cookie` fields, joined by commas, as URLSession returns them.
    public let headers: [String: String]
    /// The body, possibly empty.
    public let body: Data

    /// An answer; the names of the header fields may come in any case.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { "\($0), \($1)" })
        self.body = body
    }
}
