/// What can be asked of the mock, as its counts and its faults name it.
package enum BankCall: String, CaseIterable, Codable, Sendable {
    /// The page of the bank, and its form.
    case authorize
    /// The token endpoint with a code, and with a refresh token.
    case token, refresh
    /// The cards behind an access token.
    case cards
}

/// What goes wrong with a call.
package enum BankFaultKind: String, CaseIterable, Codable, Sendable {
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

    /// Whether the call can fail so.
    package func applies(to call: BankCall) -> Bool {
        switch self {
        case .down, .error, .slow, .hang, .garbage, .truncate, .reset, .redirect: true
        case .refuse, .malformed, .flood: call != .authorize
        }
    }
}

/// A fault in force: the next `count` calls fail so, or all.
package struct BankFault: Sendable, Equatable {
    package let kind: BankFaultKind
    /// Calls that it still strikes; `nil` for all.
    package var left: Int?
    /// Of `slow`.
    package let delay: Duration

    package init(_ kind: BankFaultKind, count: Int? = nil, delay: Duration = .seconds(2)) {
        self.kind = kind
        self.left = count
        self.delay = delay
    }
}
