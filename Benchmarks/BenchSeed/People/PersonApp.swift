import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Wire

/// The session that a person's login opened.
struct PersonSession: Sendable {
    let email: String
    let subject: String
    let session: String

    var line: String { "\(email)\t\(subject)\t\(session)" }
}

/// The app of one person, which sends a request again when a server fails.
struct PersonApp: Sendable {
    private static let timeout = TimeAmount.seconds(30)
    private static let pause = Duration.milliseconds(200)
    /// The wait of a poll in seconds, shorter than the timeout.
    private static let wait = 20
    private static let largestAnswer = 64 * 1024

    let server: SeedServer
    let client: HTTPClient
    /// The time for a whole login.
    let patience: Duration
    let onRetry: @Sendable () async -> Void

    private struct Claims: Decodable {
        let sub: String
        let sid: String
    }

    /// Signs the person in: starts, opens the link as the browser does, polls for the tokens, and acknowledges them.
    ///
    /// - Throws: ``SeedError`` for a login that is lost.
    func signIn(_ email: String) async throws -> PersonSession {
        let end = ContinuousClock.now + patience
        let verifier = CodeVerifier()
        var order = InitiateLoginRequest(email: email)
        (order.codeChallenge, order.codeChallengeMethod) = (verifier.challenge, "S256")
        let started = try await send(.POST, "/auth/biometric-login/initiate", JSONEncoder().encode(order), by: end)
        let login = try JSONDecoder().decode(InitiateLoginResponse.self, from: started)
        guard let ticket = login.authUrl.split(separator: "/").last else {
            throw SeedError(text: "the answer to initiate holds no landing page")
        }
        _ = try await send(.POST, "/go/\(ticket)", expecting: .seeOther, by: end)
        let token = try await collect(login.operationId, verifier, by: end)
        _ = try await send(
            .POST,
            "/auth/biometric-login/ack/\(login.operationId)",
            headers: ["X-Code-Verifier": verifier.text],
            by: end
        )
        let claims = try Self.claims(of: token)
        return PersonSession(email: email, subject: claims.sub, session: claims.sid)
    }

    private func collect(_ id: String, _ verifier: CodeVerifier, by end: ContinuousClock.Instant) async throws -> String
    {
        let path = "/auth/biometric-login/poll/\(id)?wait=\(Self.wait)"
        while true {
            let body = try await send(.GET, path, headers: ["X-Code-Verifier": verifier.text], by: end)
            let answer = try JSONDecoder().decode(PollLoginResponse.self, from: body)
            if let tokens = answer.tokens { return tokens.accessToken }
            guard answer.status == .pending else {
                throw SeedError(text: "ended without tokens: \(String(decoding: body, as: UTF8.self))")
            }
            guard ContinuousClock.now < end else { throw SeedError(text: "was not approved within \(patience)") }
            // A server that stops answers waiting polls early.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func send(
        _ method: HTTPMethod,
        _ path: String,
        _ json: Data? = nil,
        headers: HTTPHeaders = [:],
        expecting status: HTTPResponseStatus = .ok,
        by end: ContinuousClock.Instant
    ) async throws -> Data {
        var request = HTTPClientRequest(url: server.url + path)
        (request.method, request.headers) = (method, headers)
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: json))
        }
        while true {
            let (answered, body) = await answer(to: request)
            if let body, answered == status { return body }
            if let answered, answered.code < 500, answered != .tooManyRequests, answered != status {
                let text = body.map { String(decoding: $0, as: UTF8.self) } ?? ""
                throw SeedError(text: "\(method) \(path) was answered with \(answered): \(text)")
            }
            guard ContinuousClock.now < end else {
                throw SeedError(
                    text:
                        "\(method) \(path) got no answer within \(patience), the last: \(answered.map { "\($0)" } ?? "none")"
                )
            }
            await onRetry()
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Returns the answer; no status if the connection was lost, and no body if it broke off.
    private func answer(to request: HTTPClientRequest) async -> (HTTPResponseStatus?, Data?) {
        guard let response = try? await client.execute(server.marked(request), timeout: Self.timeout) else {
            return (nil, nil)
        }
        guard let body = try? await response.body.collect(upTo: Self.largestAnswer) else {
            return (response.status, nil)
        }
        return (response.status, Data(body.readableBytesView))
    }

    /// Reads the claims of an access token, whose signature is the server's business.
    private static func claims(of token: String) throws -> Claims {
        let parts = token.split(separator: ".")
        guard parts.count == 3 else { throw SeedError(text: "an access token is no JWT") }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        while !text.count.isMultiple(of: 4) { text += "=" }
        guard let data = Data(base64Encoded: text) else { throw SeedError(text: "an access token can't be read") }
        return try JSONDecoder().decode(Claims.self, from: data)
    }
}
