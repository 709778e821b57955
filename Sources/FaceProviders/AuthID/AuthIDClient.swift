import Kernel
import Logging
import Operations
import Outbound

/// Sends calls with an access token.
///
/// An answer of 401 renews the token once and repeats the call once.
struct AuthIDClient: Sendable {
    private let calls: AuthIDCalls
    private let exchange: AuthIDExchange
    private let source: AuthIDTokens
    private let tokens: SharedToken

    init(_ configuration: AuthIDConfiguration, http: OutboundHTTP, environment: Environment, logger: Logger) {
        calls = AuthIDCalls(configuration)
        exchange = AuthIDExchange(
            http: http,
            ownSecrets: [calls.basicCredentials, configuration.keyValue, configuration.keyID]
        )
        source = AuthIDTokens(calls: calls, exchange: exchange, environment: environment, logger: logger)
        tokens = SharedToken(source, clock: environment.clock)
    }

    func send(_ call: AuthIDCall) async throws(ProviderError) -> AuthIDAnswer {
        let access = try await tokens.current()
        let answer = try await send(call, access)
        guard answer.isUnauthorised else { return answer }
        tokens.discard(access)
        let renewed = try await tokens.current()
        let second = try await send(call, renewed)
        if second.isUnauthorised, tokens.discard(renewed) { await source.forgetRefreshToken() }
        return second
    }

    private func send(_ call: AuthIDCall, _ access: SharedToken.Access) async throws(ProviderError) -> AuthIDAnswer {
        let request = try calls.request(for: call, access: access.token)
        do throws(OutboundError) {
            return try await exchange.send(request, hiding: [access.token])
        } catch {
            throw ProviderError(error, call)
        }
    }
}
