import HTTPTypes
package import MockServing

/// A request to the mock, as its counts and its faults name it.
package enum UpstreamCall: String, MockCall {
    /// The sign-in page, and its form.
    case authorize
    /// The token endpoint, with a code or with a refresh token.
    case token, refresh
    /// The lookup of the person behind an access token.
    case lookup
    /// The data of a person.
    case data
}

/// A fault of a call.
package enum UpstreamFaultKind: String, MockFaultKind {
    /// The answer is 500.
    case down
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
    /// The token has expired: 401 of the lookup, `invalid_grant` of the token endpoint.
    case expired
    /// The person of the lookup is not active.
    case inactive
    /// The data server answers 403.
    case forbidden
    /// The answer is a redirect elsewhere, which must not be followed with a secret.
    case redirect

    package static let tokenRefusal = Self.expired

    /// Whether the fault can be set for the call.
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
