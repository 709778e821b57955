import HTTPTypes
package import MockServing

/// What can be asked of the mock, as its journal and its faults name it.
package enum UpstreamCall: String, MockCall {
    /// The sign-in page, and its form.
    case authorize
    /// The token endpoint with a code, and with a refresh token.
    case token, refresh
    /// Who is behind an access token.
    case lookup
    /// The data of a person.
    case data
}

/// What goes wrong with a call.
package enum UpstreamFaultKind: String, MockFaultKind {
    /// 500.
    case down
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
    /// The token has expired: 401 of the lookup, `invalid_grant` of the token endpoint.
    case expired
    /// The lookup's person is not active.
    case inactive
    /// The data's server says 403.
    case forbidden
    /// A redirect elsewhere, which nobody should follow with a secret.
    case redirect

    package static let tokenRefusal = Self.expired

    /// Whether the call can fail so.
    package func applies(to call: UpstreamCall) -> Bool {
        switch self {
        case .down, .slow, .hang, .garbage, .truncate, .reset, .redirect: true
        case .expired: call == .lookup || call == .token || call == .refresh
        case .inactive: call == .lookup
        case .forbidden: call == .data
        }
    }

    package func breakage(delay: Duration) -> MockBreakage? {
        switch self {
        case .down: .error(.internalServerError)
        case .slow: .late(delay)
        case .hang: .silence
        case .garbage: .garbage
        case .truncate: .truncated
        case .reset: .reset
        case .redirect: .redirect
        case .expired, .inactive, .forbidden: nil
        }
    }
}
