import Kernel
import Logging
import Operations
import Outbound

/// Requests token pairs from authID: with the last refresh token, or otherwise with the API keys.
actor AuthIDTokens: TokenSource {
    /// A token is not used in its last minute, so that it does not expire before it arrives.
    static let margin: Duration = .seconds(60)

    private let calls: AuthIDCalls
    private let exchange: AuthIDExchange
    private let environment: Environment
    private let logger: Logger

    private var refreshToken: Secret?

    init(calls: AuthIDCalls, exchange: AuthIDExchange, environment: Environment, logger: Logger) {
        self.calls = calls
        self.exchange = exchange
        self.environment = environment
        self.logger = logger
    }

    func obtain() async throws(ProviderError) -> IssuedToken {
        do throws(ProviderError) {
            if let token = refreshToken {
                // A refresh token is used only once: when the answer is lost, it may be spent already.
                refreshToken = nil
                if let pair = try await refresh(token) { return take(pair) }
            }
            return take(try await askWithKeys())
        } catch {
            throw error.withoutToken
        }
    }

    /// Makes the next request use the API keys: a chain of refreshed tokens can be invalid as a whole.
    func forgetRefreshToken() { refreshToken = nil }

    /// Returns `nil` if authID answered anything but a token pair, so that the API keys are used.
    private func refresh(_ token: Secret) async throws(ProviderError) -> AuthIDTokenPair? {
        let call = AuthIDCall.refresh(token)
        let answer = try await send(call, hiding: [token])
        if case .good(let body) = answer, let pair = AuthIDTokenPair(parsing: body) { return pair }
        logger.notice(
            "authID did not refresh the token: a new one is requested",
            metadata: ["answer": "\(answer.summary)"]
        )
        return nil
    }

    private func askWithKeys() async throws(ProviderError) -> AuthIDTokenPair {
        switch try await send(.token, hiding: []) {
        case .good(let body):
            guard let pair = AuthIDTokenPair(parsing: body) else { throw .unreadable(.token) }
            return pair
        case .oversized: throw .unreadable(.token)
        // An error of this server's API keys says nothing about the person whose face is scanned.
        case .refused(let refusal), .unavailable(let refusal): throw .unavailable(refusal, .token)
        }
    }

    private func send(_ call: AuthIDCall, hiding secrets: [Secret]) async throws(ProviderError) -> AuthIDAnswer {
        let request = try calls.request(for: call)
        do throws(OutboundError) {
            return try await exchange.send(request, hiding: secrets)
        } catch {
            throw ProviderError(error, call)
        }
    }

    private func take(_ pair: AuthIDTokenPair) -> IssuedToken {
        let lifetime = AuthIDTokenLifetime.of(pair, at: environment.now())
        refreshToken = pair.refresh
        logger.debug("authID issued a token", metadata: ["seconds": "\(lifetime.components.seconds)"])
        return IssuedToken(token: pair.access, freshFor: lifetime - Self.margin)
    }
}
