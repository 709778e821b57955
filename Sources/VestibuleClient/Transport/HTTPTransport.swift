public import Foundation

/// Sends a request to the server and returns the answer.
///
/// The SDK's own implementation is ``URLSessionTransport``.
///
/// An implementation must not follow redirects, keep cookies or cache answers. It must refuse an answer over
/// ``ClientResponse/largestBody`` bytes and stop after ``ClientRequest/timeout`` in every case. If the task is
/// cancelled, it must stop early with ``NetworkError/interrupted``. Otherwise a sign-in may exceed its deadline.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the answer, whatever its status.
    func send(_ request: ClientRequest) async throws(NetworkError) -> ClientResponse
}

/// A request of the SDK.
public struct ClientRequest: Sendable, Equatable {
    /// The methods that the API uses.
    public enum Method: String, Sendable {
        /// Reads data.
        case get = "GET"
        /// Changes data.
        case post = "POST"
    }

    /// The method.
    public let method: Method
    /// The complete address.
    public let url: URL
    /// The header fields, including `Cookie`.
    public let headers: [String: String]
    /// The body of a POST.
    public let body: Data?
    /// The longest time from the start to the last byte of the answer.
    public let timeout: Duration

    /// Creates a request.
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
    /// The most bytes of a body that a transport accepts: 64 KiB, many times the size of the API's answers.
    public static let largestBody = 64 * 1024

    /// The HTTP status.
    public let status: Int
    /// The header fields by lower-case names.
    ///
    /// One value may hold several `Set-Cookie` fields, joined by commas, as URLSession returns them.
    public let headers: [String: String]
    /// The body, which may be empty.
    public let body: Data

    /// Creates an answer.
    ///
    /// The names of the header fields may be in upper or lower case.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { "\($0), \($1)" })
        self.body = body
    }
}
