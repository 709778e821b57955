import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport with the system's URLSession: no redirects, no cookies, no cache, and answers of bounded size.
///
/// The system checks certificates. Bytes beyond the bound are dropped and the transfer is cancelled. On Linux,
/// URLSession may continue to receive for a moment.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let inbox: AnswerInbox
    private let environment: ClientEnvironment

    /// Creates a transport with its own connections, which are closed when it is released.
    public init(environment: ClientEnvironment = .system) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if !canImport(FoundationNetworking)
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        #endif
        inbox = AnswerInbox()
        session = URLSession(configuration: configuration, delegate: inbox, delegateQueue: nil)
        self.environment = environment
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request and returns the answer, whatever its status.
    public func send(_ request: ClientRequest) async throws(NetworkError) -> ClientResponse {
        // URLSession's own timeout counts from the last byte, so that a very slow server could hold a login forever.
        let first = await withTaskGroup(of: Result<ClientResponse, NetworkError>.self) { group in
            group.addTask { await self.exchange(request) }
            group.addTask { [environment] in
                do {
                    try await environment.sleep(request.timeout)
                    return .failure(.timedOut)
                } catch {
                    return .failure(.interrupted)
                }
            }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        return try (first ?? .failure(.interrupted)).get()
    }

    private func exchange(_ request: ClientRequest) async -> Result<ClientResponse, NetworkError> {
        let task = session.dataTask(with: Self.urlRequest(request))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.expect(task) { continuation.resume(returning: $0) }
                task.resume()
            }
        } onCancel: {
            inbox.giveUp(task, .interrupted)
        }
    }

    private static func urlRequest(_ request: ClientRequest) -> URLRequest {
        var result = URLRequest(url: request.url)
        result.httpMethod = request.method.rawValue
        result.httpBody = request.body
        result.httpShouldHandleCookies = false
        // This timeout is longer than the deadline in ``send(_:)``, so that only the deadline matters.
        result.timeoutInterval = Double(request.timeout.components.seconds) + 5
        for (name, value) in request.headers { result.setValue(value, forHTTPHeaderField: name) }
        return result
    }
}
