import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Collects the answers of one URLSession, and delivers each exactly once, as soon as its outcome is known.
final class AnswerInbox: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Outcome = Result<ClientResponse, NetworkError>

    private struct Pending {
        let deliver: @Sendable (Outcome) -> Void
        var response: HTTPURLResponse?
        var body = Data()
    }

    // The lock protects `pending` and `givenUp`, which the delegate's queue and the cancelling task use.
    private var pending: [Int: Pending] = [:]
    // The tasks that were cancelled before ``expect(_:deliver:)``.
    private var givenUp: Set<Int> = []
    private let lock = NSLock()

    /// Calls `deliver` once with the outcome of `task`, which must not be running yet.
    func expect(_ task: URLSessionTask, deliver: @escaping @Sendable (Outcome) -> Void) {
        let late = lock.withLock {
            if givenUp.remove(task.taskIdentifier) != nil { return true }
            pending[task.taskIdentifier] = Pending(deliver: deliver)
            return false
        }
        if late { deliver(.failure(.interrupted)) }
    }

    /// Cancels the transfer of `task` and delivers that error.
    func giveUp(_ task: URLSessionTask, _ fault: NetworkError) {
        let waiting = lock.withLock {
            let waiting = pending.removeValue(forKey: task.taskIdentifier)
            if waiting == nil, fault == .interrupted, task.state == .suspended { givenUp.insert(task.taskIdentifier) }
            return waiting
        }
        task.cancel()
        waiting?.deliver(.failure(fault))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let answer = response as? HTTPURLResponse else {
            completionHandler(.cancel)
            giveUp(dataTask, .unreadableAnswer)
            return
        }
        guard answer.expectedContentLength <= Int64(ClientResponse.largestBody) else {
            completionHandler(.cancel)
            giveUp(dataTask, .answerTooLarge)
            return
        }
        lock.withLock { pending[dataTask.taskIdentifier]?.response = answer }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let fits = lock.withLock {
            guard var waiting = pending[dataTask.taskIdentifier] else { return true }
            guard waiting.body.count + data.count <= ClientResponse.largestBody else { return false }
            // The entry is removed first, so that the body is extended in place instead of copied.
            pending[dataTask.taskIdentifier] = nil
            waiting.body.append(data)
            pending[dataTask.taskIdentifier] = waiting
            return true
        }
        if !fits { giveUp(dataTask, .answerTooLarge) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let waiting = lock.withLock({ pending.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let error {
            waiting.deliver(.failure(NetworkError(urlSession: error)))
        } else if let response = waiting.response {
            waiting.deliver(.success(ClientResponse(response, body: waiting.body)))
        } else {
            waiting.deliver(.failure(.unreadableAnswer))
        }
    }
}

extension ClientResponse {
    init(_ response: HTTPURLResponse, body: Data) {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        self.init(status: response.statusCode, headers: headers, body: body)
    }
}

extension NetworkError {
    /// Converts an error of URLSession.
    ///
    /// On Linux a refused certificate is not distinguished from other failures.
    init(urlSession error: any Error) {
        guard let error = error as? URLError else {
            self = .unreachable(error.localizedDescription)
            return
        }
        self =
            switch error.code {
            case .timedOut: .timedOut
            case .cancelled: .interrupted
            case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired:
                .untrustedServer
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
                .unreadableAnswer
            default: .unreachable(error.localizedDescription)
            }
    }
}
