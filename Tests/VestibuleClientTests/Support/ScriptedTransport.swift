import Foundation

@testable import VestibuleClient

/// A server that answers by script: polls one step after the other, the last step for ever; and keeps what it was asked.
final class ScriptedTransport: HTTPTransport, @unchecked Sendable {
    enum Step: Sendable {
        case answer(Int, String, headers: [String: String] = [:])
        case fault(NetworkError)
        /// The network swallows the request: time passes until the client gives up.
        case silence
        /// The server takes that long, and then answers 200.
        case slow(Duration, String)
        /// Never answers; only cancellation ends it.
        case park
    }

    enum Route: String, Sendable {
        case initiate, poll, ack, cancel
    }

    struct Call: Sendable {
        let route: Route
        let request: ClientRequest
        let at: Duration

        var query: String? { request.url.query(percentEncoded: false) }
        func header(_ name: String) -> String? { request.headers[name] }
    }

    private let time: VirtualTime
    private let onCall: @Sendable (Call) async -> Void
    // Guarded by the lock.
    private var scripts: [Route: [Step]]
    private var kept: [Call] = []
    private let lock = NSLock()

    init(
        _ time: VirtualTime,
        initiate: [Step] = [.answer(200, Answers.initiate())],
        poll: [Step],
        ack: [Step] = [.answer(200, Answers.receipt)],
        cancel: [Step] = [.answer(200, Answers.receipt)],
        onCall: @escaping @Sendable (Call) async -> Void = { _ in }
    ) {
        self.time = time
        self.onCall = onCall
        scripts = [.initiate: initiate, .poll: poll, .ack: ack, .cancel: cancel]
    }

    var calls: [Call] { lock.withLock { kept } }
    func calls(_ route: Route) -> [Call] { calls.filter { $0.route == route } }

    func send(_ request: ClientRequest) async throws(NetworkError) -> ClientResponse {
        let parts = request.url.path(percentEncoded: true).split(separator: "/").map(String.init)
        guard let place = parts.firstIndex(of: "biometric-login"), parts.indices.contains(place + 1),
            let route = Route(rawValue: parts[place + 1])
        else { return ClientResponse(status: 404, headers: [:], body: Data()) }
        if Task.isCancelled { throw .interrupted }
        let call = Call(route: route, request: request, at: time.uptime)
        let step = lock.withLock {
            kept.append(call)
            let script = scripts[route] ?? []
            if script.count > 1 { scripts[route] = Array(script.dropFirst()) }
            return script.first ?? .fault(.unreachable("nothing scripted"))
        }
        await onCall(call)
        switch step {
        case .answer(let status, let body, let headers):
            return ClientResponse(status: status, headers: headers, body: Data(body.utf8))
        case .fault(let fault): throw fault
        case .silence:
            time.advance(by: request.timeout)
            throw .timedOut
        case .slow(let duration, let body):
            guard duration < request.timeout else {
                time.advance(by: request.timeout)
                throw .timedOut
            }
            time.advance(by: duration)
            return ClientResponse(status: 200, headers: [:], body: Data(body.utf8))
        case .park:
            while !Task.isCancelled { await Task.yield() }
            throw .interrupted
        }
    }
}
