import Foundation
import Wire

/// The four requests of a face login.
///
/// Each call sends one request once.
struct LoginExchange: Sendable {
    let server: ServerAddress
    let transport: any HTTPTransport
    let cookies: CookieKeeper
    /// The device credential, which is sent only with the start.
    var credential: String?
    let returns: ReturnInbox
    let now: @Sendable () -> Date

    func initiate(_ body: InitiateLoginRequest, timeout: Duration) async throws(FaceLoginError) -> Reply {
        try await send(
            .post,
            server.initiate,
            verifier: nil,
            headers: credential.map { ["X-Device-Credential": $0] } ?? [:],
            body: encoded(body),
            timeout: timeout
        )
    }

    /// Returns the answer to a poll; `nil` if a return code arrived meanwhile that the poll did not contain.
    ///
    /// The server may hold a poll for half a minute and gives no result without the code. So the poll is cancelled when
    /// a code arrives. If that loses an answer, the server repeats it.
    func poll(_ login: BegunLogin, wait: Int?, timeout: Duration) async throws(FaceLoginError) -> Reply? {
        let code = await returns.code
        let first = await withTaskGroup(of: Result<Reply, FaceLoginError>?.self) { group in
            group.addTask {
                do throws(FaceLoginError) {
                    return .success(try await poll(login, code, wait: wait, timeout: timeout))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await returns.change(from: code)
                return nil
            }
            var first = await group.next() ?? nil
            // Tokens that have arrived must not be lost: a poll that was cancelled may still return its answer.
            if first == nil, Task.isCancelled { first = await group.next() ?? nil }
            group.cancelAll()
            return first
        }
        if let first { return try first.get() }
        guard !Task.isCancelled else { throw .cancelled }
        return nil
    }

    private func poll(
        _ login: BegunLogin,
        _ code: String?,
        wait: Int?,
        timeout: Duration
    ) async throws(FaceLoginError) -> Reply {
        try await send(
            .get,
            server.poll(login.id, wait: wait),
            verifier: login.verifier,
            headers: code.map { ["X-Return-Code": $0] } ?? [:],
            body: nil,
            timeout: timeout
        )
    }

    func acknowledge(_ login: BegunLogin, timeout: Duration) async throws(FaceLoginError) -> Reply {
        try await send(
            .post,
            server.acknowledge(login.id),
            verifier: login.verifier,
            body: Data("{}".utf8),
            timeout: timeout
        )
    }

    func cancel(_ login: BegunLogin, timeout: Duration) async throws(FaceLoginError) -> Reply {
        try await send(
            .post,
            server.cancel(login.id),
            verifier: login.verifier,
            body: Data("{}".utf8),
            timeout: timeout
        )
    }

    private func send(
        _ method: ClientRequest.Method,
        _ url: URL,
        verifier: CodeVerifier?,
        headers own: [String: String] = [:],
        body: Data?,
        timeout: Duration
    ) async throws(FaceLoginError) -> Reply {
        guard !Task.isCancelled else { throw .cancelled }
        var headers = own.merging(["Accept": "application/json", "Cache-Control": "no-cache"]) { _, ours in ours }
        if body != nil { headers["Content-Type"] = "application/json" }
        if let verifier { headers["X-Code-Verifier"] = verifier.text }
        if let cookie = await cookies.header(for: url) { headers["Cookie"] = cookie }
        let request = ClientRequest(method: method, url: url, headers: headers, body: body, timeout: timeout)
        let response: ClientResponse
        do {
            response = try await transport.send(request)
        } catch {
            if Task.isCancelled { throw .cancelled }
            return .faulted(error, retryAfter: nil)
        }
        try await cookies.accept(response, from: url)
        return Reply(response, now: now())
    }

    private func encoded(_ body: InitiateLoginRequest) throws(FaceLoginError) -> Data {
        do {
            return try JSONEncoder().encode(body)
        } catch {
            throw .networkError(.unreachable(error.localizedDescription))
        }
    }
}
