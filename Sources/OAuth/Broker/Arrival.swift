package import Kernel

/// What an upstream sends a browser back with (RFC 6749 §4.1.2, RFC 9207).
package struct UpstreamReturn: Sendable, Equatable {
    package let state: String?
    package let code: String?
    package let error: String?
    package let issuer: String?

    package init(state: String?, code: String?, error: String?, issuer: String?) {
        self.state = state
        self.code = code
        self.error = error
        self.issuer = issuer
    }
}

/// Why a return from an upstream leads nowhere.
///
/// The person reads a page: an address in it that nobody vouches for is not followed.
package enum ArrivalRefusal: Error, Equatable, Sendable, CaseIterable {
    /// No state of ours, one that has expired, one that was used, or one of an upstream that is gone.
    case over
    /// The browser is not the one that departed.
    case otherBrowser
    /// Another authorization server answers than was asked (RFC 9700 §4.4, mix-up).
    case otherIssuer
    /// Neither a code nor an error.
    case malformed
}

/// What a code of ours holds, sealed.
struct CodeTicket: Codable, Equatable {
    let upstream: String
    let client: String
    let redirectURI: String
    let challenge: String?
    /// The upstream's code.
    let code: String
    let verifier: String?
    /// Milliseconds.
    let expiresAt: Int64
}

extension BrokerService {
    /// The longest code of an upstream that is carried on, in bytes.
    static let longestCode = 4096

    /// Sends a browser that is back from its upstream on to the app.
    ///
    /// `browser`: the cookie that it shows. `upstream`: what the config has under a name.
    package func arrive(
        _ shown: UpstreamReturn,
        browser: Secret?,
        upstream: (String) -> Upstream?
    ) throws(ArrivalRefusal) -> AuthorizationAnswer {
        guard let state = shown.state,
            let departure = tickets.open(state, as: DepartureTicket.self, for: .departure),
            facts.now() < Instant(milliseconds: departure.expiresAt), let upstream = upstream(departure.upstream)
        else { throw .over }
        guard let browser, let departed = Base64URL.decode(departure.browser).flatMap({ Digest256($0) }),
            departed.matches(Digest256(sha256: browser.expose()))
        else { throw .otherBrowser }
        if let issuer = upstream.issuer {
            guard shown.issuer == issuer else { throw .otherIssuer }
        }
        guard shown.error != nil || (shown.code?.utf8.count).map({ (1...Self.longestCode).contains($0) }) == true else {
            throw .malformed
        }
        guard tickets.use(state, until: Instant(milliseconds: departure.expiresAt)) else { throw .over }
        return answer(shown, departure)
    }

    private func answer(_ shown: UpstreamReturn, _ departure: DepartureTicket) -> AuthorizationAnswer {
        var parameters: [AuthorizationAnswer.Parameter]
        if let error = shown.error {
            let code = Self.code(for: error)
            parameters = [
                .init("error", code.rawValue), .init("error_description", "The authorization server refused."),
            ]
        } else if let code = code(shown.code ?? "", departure) {
            parameters = [.init("code", code)]
        } else {
            parameters = [
                .init("error", OAuthErrorCode.serverError.rawValue),
                .init("error_description", OAuthError.broken.description),
            ]
        }
        if let state = departure.state { parameters.append(.init("state", state)) }
        parameters.append(.init("iss", issuer))
        return AuthorizationAnswer(
            redirectURI: departure.redirectURI,
            responseMode: AuthorizationRequest.ResponseMode(rawValue: departure.responseMode) ?? .query,
            parameters: parameters
        )
    }

    private func code(_ code: String, _ departure: DepartureTicket) -> String? {
        let ticket = CodeTicket(
            upstream: departure.upstream,
            client: departure.client,
            redirectURI: departure.redirectURI,
            challenge: departure.challenge,
            code: code,
            verifier: departure.verifier,
            expiresAt: (facts.now() + Self.codeLifetime).milliseconds
        )
        return (try? tickets.seal(ticket, for: .code)).map { Self.codePrefix + $0 }
    }

    /// What the app is told of an upstream's error: none that is about us, for the app can do nothing about that.
    private static func code(for error: String) -> OAuthErrorCode {
        let passed: [OAuthErrorCode] = [
            .accessDenied, .temporarilyUnavailable, .loginRequired, .interactionRequired, .consentRequired,
        ]
        return passed.first { $0.rawValue == error } ?? .serverError
    }
}
