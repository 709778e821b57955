/// Which calls a fault strikes.
package enum FaultTarget: String, CaseIterable, Codable, Sendable {
    /// `auth/token` and `auth/refresh`.
    case token
    /// The creation of a transaction or an operation.
    case create
    /// The status of a transaction or an operation, and an operation's result.
    case status
}

/// A kind of fault.
package enum FaultKind: String, CaseIterable, Codable, Sendable {
    case http500 = "http_500"
    case http429 = "http_429"
    case http401 = "http_401"
    case http409 = "http_409"
    case notFound = "not_found"
    /// The connection stays open and silent until the client gives up or `ms` have passed; then it is closed.
    case hang
    /// The answer comes after `ms`.
    case slow
    /// 200 with a body that is not JSON; the call has no effect.
    case garbage
    /// The call takes effect, then the answer breaks off in the middle of its body.
    case truncate
    /// The connection is closed without an answer; the call has no effect.
    case reset
    /// The answer is about another transaction. An enrolment's status carries no id, so there it changes nothing.
    case wrongTransaction = "wrong_transaction"
    /// The scan says Pending until its timeout has passed and Accepted from then on. Struck at creation or at a status
    /// call, it stays with the scan.
    case lateAccept = "late_accept"
    /// A failure (500), then an answer, and so on in turn.
    case flap

    package func applies(to target: FaultTarget) -> Bool {
        switch self {
        case .wrongTransaction, .lateAccept: target != .token
        case .http500, .http429, .http401, .http409, .notFound, .hang, .slow, .garbage, .truncate, .reset, .flap: true
        }
    }

    /// Whether `ms` says something about it.
    package var takesDuration: Bool {
        switch self {
        case .hang, .slow: true
        case .http500, .http429, .http401, .http409, .notFound, .garbage, .truncate, .reset, .wrongTransaction,
            .lateAccept, .flap:
            false
        }
    }
}
