import HTTPTypes
package import MockServing

/// What can be asked of the mock, as its counts and its faults name it.
package enum BankCall: String, MockCall {
    /// The page of the bank, and its form.
    case authorize
    /// The token endpoint with a code, and with a refresh token.
    case token, refresh
    /// The cards behind an access token.
    case cards
}

/// What goes wrong with a call.
package enum BankFaultKind: String, MockFaultKind {
    /// 503.
    case down
    /// 500.
    case error
    /// The right answer, after `ms`.
    case slow
    /// The connection stays open and silent for a minute, which no client waits for; then it is closed.
    case hang
    /// 200 with a proxy's page.
    case garbage
    /// The call takes effect, and the answer breaks off in the middle.
    case truncate
    /// The connection is closed without an answer.
    case reset
    /// A redirect elsewhere, which nobody should follow with a secret.
    case redirect
    /// `invalid_grant` of the token endpoint, 401 of the cards.
    case refuse
    /// The call takes effect, and the answer is JSON whose members have the wrong types.
    case malformed
    /// The call takes effect, and the answer has two million bytes.
    case flood

    package static let tokenRefusal = Self.refuse

    /// Whether the call can fail so.
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
