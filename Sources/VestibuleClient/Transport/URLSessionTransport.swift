import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport over the system's URLSession: no redirects, no cookies, no cache, bounded answers.
///
/// Certificates are checked as the system does. Bytes beyond the bound are dropped and the transfer is cancelled; on
/// Linux URLSession may continue to receive for a moment.
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

    /// The answer, whatever its status.
    public func send(_ request: ClientRequest) async throws(NetworkError) -> ClientResponse {
        // URLSession's own timeout counts from the last byte: a server that drips would hold a login for ever.
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
        // Longer than the deadline above, which alone decides.
        result.timeoutInterval = Double(request.timeout.components.seconds) + 5
        for (name, value) in request.headers { result.setValue(value, forHTTPHeaderField: name) }
        return result
    }
}
