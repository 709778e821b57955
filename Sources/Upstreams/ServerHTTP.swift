// Upstreams: the requests to the broker's upstreams, to banks, and to CIBA clients.
// Owns these outgoing requests and the reading of banks' cards; CodeFlow reads the token answers.
// Decides nothing about a grant or a payment: OAuth and Wallet do.
// Survives slow, large and redirecting servers, within Outbound's limits; an unreadable answer is refused.
// Only this module sends the secrets of this server's client registrations.

import CodeFlow
import Kernel
import Outbound

/// Sends requests to authorization servers and to the services behind them, over the shared HTTP client.
///
/// Each request is sent once, with limits on time and size. A redirect is never followed: it would send a code or a
/// token elsewhere.
struct ServerHTTP: Sendable {
    /// The most bytes of an answer of a token endpoint.
    private static let tokenLimit = 65_536

    let http: OutboundHTTP
    /// Whether token answers are read loosely: see ``TokenAnswer/init(status:body:isLoose:)``.
    let takesLooseAnswers: Bool

    func tokens(
        for grant: TokenGrant,
        at server: AuthorizationServer,
        within timeout: Duration
    ) async throws(ExchangeError) -> TokenAnswer {
        let request = TokenRequest(grant, to: server)
        var headers = [
            OutboundHeader("Content-Type", "application/x-www-form-urlencoded"),
            OutboundHeader("Accept", "application/json"),
        ]
        if let authorization = request.authorization { headers.append(OutboundHeader("Authorization", authorization)) }
        let answer = try await send(
            OutboundRequest(
                .post,
                .url(server.tokenURL),
                headers: headers,
                body: Array(request.form.utf8),
                timeout: timeout,
                maxResponseBytes: Self.tokenLimit
            )
        )
        return TokenAnswer(status: answer.status, body: answer.body, isLoose: takesLooseAnswers)
    }

    /// Sends a GET request.
    ///
    /// `token` is the bearer token that is presented, if any.
    func get(
        _ url: String,
        with token: Secret?,
        accepting type: String = "application/json",
        limit: Int,
        timeout: Duration
    ) async throws(ExchangeError) -> OutboundResponse {
        var headers = [OutboundHeader("Accept", type)]
        if let token { headers.append(OutboundHeader("Authorization", "Bearer \(token.expose())")) }
        return try await send(
            OutboundRequest(.get, .url(url), headers: headers, timeout: timeout, maxResponseBytes: limit)
        )
    }

    private func send(_ request: OutboundRequest) async throws(ExchangeError) -> OutboundResponse {
        do throws(OutboundError) { return try await http.send(request) } catch {
            switch error {
            case .connect, .timeout, .transport, .cancelled: throw .unavailable(cause: "\(error)")
            case .tooLarge, .redirected: throw .unusable(cause: "\(error)")
            }
        }
    }
}
