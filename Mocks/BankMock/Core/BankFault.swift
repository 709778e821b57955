import HTTPTypes
package import MockServing

/// A request to the mock, as its counts and its faults name it.
package enum BankCall: String, MockCall {
    /// The bank's page and its form.
    case authorize
    /// The token endpoint, with a code or with a refresh token.
    case token, refresh
    /// The cards behind an access token.
    case cards
}

/// A fault of a call.
package enum BankFaultKind: String, MockFaultKind {
    /// The answer is 503.
    case down
    /// The answer is 500.
    case error
    /// The right answer comes after `ms`.
    case slow
    /// The connection stays open and silent for a minute, which no client waits for; then it is closed.
    case hang
    /// The answer is 200 with a proxy's page.
    case garbage
    /// The call takes effect, and the answer breaks off in the middle.
    case truncate
    /// The connection is closed without an answer.
    case reset
    /// The answer is a redirect elsewhere, which must not be followed with a secret.
    case redirect
    /// The token endpoint answers `invalid_grant`, and the cards 401.
    case refuse
    /// The call takes effect, and the answer is JSON whose members have the wrong types.
    case malformed
    /// The call takes effect, and the answer has two million bytes.
    case flood

    package static let tokenRefusal = Self.refuse

    /// Whether the fault can be set for the call.
    package func applies(to call: BankCall) -> Bool {
        switch self {
        case .down, .error, .slow, .hang, .garbage, .truncate, .reset, .redirect: true
        case .refuse, .malformed, .flood: call != .authorize
        }
    }

    package func breakage(delay: Duration) -> MockBreakage? {
        switch self {
        case .down: .error(.serviceUnavailable)
        case .error: .error(.internalServerError)
        case .slow: .late(delay)
        case .hang: .silence
        case .garbage: .garbage
        case .truncate: .truncated
        case .reset: .reset
        case .redirect: .redirect
        case .refuse, .malformed, .flood: nil
        }
    }

    package func spoil(_ reply: inout MockReply) {
        switch self {
        case .flood: reply.body += String(repeating: " ", count: 2_000_000)
        case .malformed:
            reply.body =
                #"{"access_token":7,"token_type":["Bearer"],"cards":[{"id":7,"lastFour":4242,"network":null}]}"#
        case .down, .error, .slow, .hang, .garbage, .truncate, .reset, .redirect, .refuse: break
        }
    }
}
