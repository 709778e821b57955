package import CodeFlow
package import Kernel
package import Outbound
package import Wallet

/// Sends requests to banks over the shared HTTP client (``ServerHTTP``).
package struct HTTPBankGateway: BankGateway {
    /// The most bytes of a list of cards.
    static let cardsLimit = 262_144

    private let server: ServerHTTP

    package init(_ http: OutboundHTTP) { server = ServerHTTP(http: http, takesLooseAnswers: false) }

    package func tokens(for grant: TokenGrant, at bank: Bank) async throws(BankError) -> GrantedTokens {
        let timeout =
            switch grant {
            case .code: bank.timeout
            case .refreshToken: bank.exchangeTime
            }
        let answer: TokenAnswer
        do throws(ExchangeError) {
            answer = try await server.tokens(for: grant, at: bank.server, within: timeout)
        } catch { throw BankError(error) }
        return try BankAnswer.tokens(answer)
    }

    package func cards(with accessToken: Secret, at bank: Bank) async throws(BankError) -> [BankCard] {
        let answer: OutboundResponse
        do throws(ExchangeError) {
            answer = try await server.get(
                bank.cardsURL,
                with: accessToken,
                limit: Self.cardsLimit,
                timeout: bank.timeout
            )
        } catch { throw BankError(error) }
        guard answer.status == 200 else { throw BankAnswer.failure(ofCards: answer.status) }
        guard let cards = BankAnswer.cards(answer.body) else {
            throw .unusable(cause: "HTTP 200 with a body that is not a list of cards")
        }
        return cards
    }
}

extension BankError {
    fileprivate init(_ error: ExchangeError) {
        self =
            switch error {
            case .unavailable(let cause): .unavailable(cause: cause)
            case .unusable(let cause): .unusable(cause: cause)
            }
    }
}
