import CodeFlow
import Kernel

extension BrokerService {
    /// Returns the tokens for a grant.
    ///
    /// An upstream's refusal is reported to the app in this server's words (RFC 6749 §5).
    func tokens(for grant: TokenGrant, at upstream: Upstream) async throws(OAuthError) -> GrantedTokens {
        let answer: TokenAnswer
        do throws(ExchangeError) {
            answer = try await gateway.tokens(for: grant, at: upstream)
        } catch {
            switch error {
            case .unavailable(let cause): throw warned(.upstreamDown, about: upstream, cause: cause)
            case .unusable(let cause): throw warned(.upstreamBroken, about: upstream, cause: cause)
            }
        }
        switch answer {
        case .tokens(let tokens):
            if let seconds = tokens.expiresIn {
                people.expect(tokens.accessToken, at: upstream, for: .seconds(seconds))
            }
            return tokens
        case .noTokens:
            throw warned(.upstreamBroken, about: upstream, cause: "HTTP 200 with a body that has no tokens in it")
        case .outage(let status): throw warned(.upstreamDown, about: upstream, cause: "HTTP \(status)")
        case .unexpected(let status): throw warned(.upstreamBroken, about: upstream, cause: "HTTP \(status)")
        case .refused(let status, let error):
            throw refusal(status, error.flatMap { OAuthErrorCode(rawValue: $0) }, of: grant, at: upstream)
        }
    }

    /// Returns the error that the app gets for an upstream's refusal.
    ///
    /// Only the app's own mistakes are named.
    private func refusal(
        _ status: Int,
        _ code: OAuthErrorCode?,
        of grant: TokenGrant,
        at upstream: Upstream
    ) -> OAuthError {
        switch (code, grant) {
        case (.invalidGrant, .code): .badCode
        case (.invalidGrant, .refreshToken): .badRefreshToken
        case (.invalidScope, _): OAuthError(.invalidScope, "The authorization server does not give that scope.")
        case (.temporarilyUnavailable, _), (.slowDown, _): .upstreamDown
        case (nil, _): warned(.upstreamBroken, about: upstream, cause: "HTTP \(status), without a known error")
        // The upstream refused our client id, our secret or our request. Only the operator can correct that, not the app.
        case (let code?, _): warned(.refusedByUpstream, about: upstream, cause: "HTTP \(status), \(code.rawValue)")
        }
    }

    private func warned(_ error: OAuthError, about upstream: Upstream, cause: String) -> OAuthError {
        warn(upstream, at: "token", cause: cause)
        return error
    }
}
