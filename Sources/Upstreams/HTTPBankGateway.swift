package import Kernel
package import Outbound
package import Wallet

/// Speaks to banks over the one HTTP client: each request once, bounded in time and size, and never sent on to where a
/// redirect points, which would carry a code or a token there.
package struct HTTPBankGateway: BankGateway {
    /// The largest list of cards, in bytes.
    static let cardsLimit = 262_144

    private let http: OutboundHTTP

    package init(_ http: OutboundHTTP) { self.http = http }

    package func tokens(
        forCode code: Secret,
        verifier: Secret,
        redirectURI: String,
        at bank: Bank
    ) async throws(BankFailure) -> BankTokens {
        try await tokens(
            [
                ("grant_type", "authorization_code"), ("code", code.expose()), ("redirect_uri", redirectURI),
                ("code_verifier", verifier.expose()),
            ],
            at: bank,
            within: bank.timeout
        )
    }

    package func tokens(forRefreshToken token: Secret, at bank: Bank) async throws(BankFailure) -> BankTokens {
        try await tokens(
            [("grant_type", "refresh_token"), ("refresh_token", token.expose())],
            at: bank,
            within: bank.exchangeTime
        )
    }

    package func cards(with accessToken: Secret, at bank: Bank) async throws(BankFailure) -> [BankCard] {
        let answer = try await send(
            OutboundRequest(
                .get,
                .url(bank.cardsURL),
                headers: [
                    OutboundHeader("Authorization", "Bearer \(accessToken.expose())"),
                    OutboundHeader("Accept", "application/json"),
                ],
                timeout: bank.timeout,
                maxResponseBytes: Self.cardsLimit
            )
        )
        guard answer.status == 200 else { throw BankAnswer.failure(ofCards: answer.status) }
        guard let cards = BankAnswer.cards(answer.body) else {
            throw .unusable(cause: "HTTP 200 with a body that is no list of cards")
        }
        return cards
    }

    private func tokens(
        _ fields: [(String, String)],
        at bank: Bank,
        within timeout: Duration
    ) async throws(BankFailure) -> BankTokens {
        let request = TokenRequest(url: bank.tokenURL, fields: fields, client: bank.client, timeout: timeout)
        let answer = try await send(request.request)
        guard answer.status == 200 else { throw BankAnswer.failure(ofTokens: answer.status, answer.body) }
        guard let tokens = BankAnswer.tokens(answer.body) else {
            throw .unusable(cause: "HTTP 200 with a body that has no tokens in it")
        }
        return tokens
    }

    private func send(_ request: OutboundRequest) async throws(BankFailure) -> OutboundResponse {
        do throws(OutboundFailure) { return try await http.send(request) } catch {
            switch error {
            case .connect, .timeout, .transport, .cancelled: throw .unavailable(cause: "\(error)")
            case .tooLarge, .redirected: throw .unusable(cause: "\(error)")
            }
        }
    }
}

extension Bank {
    /// What this server shows itself with there; the config's checks have seen that a secret goes with `post` and `basic`.
    fileprivate var client: TokenRequest.Client {
        guard let clientSecret else { return .none(id: clientID) }
        return switch authentication {
        case .none: .none(id: clientID)
        case .post: .post(id: clientID, secret: clientSecret)
        case .basic: .basic(id: clientID, secret: clientSecret)
        }
    }
}
