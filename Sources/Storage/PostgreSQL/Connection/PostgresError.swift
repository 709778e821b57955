import Kernel

/// An error of PostgreSQL, or of the connection to it.
enum PostgresError: Error, Equatable, Sendable {
    /// The server refused a statement, and the connection can still be used.
    ///
    /// `state`: the five characters of the SQLSTATE ("PostgreSQL Error Codes", Appendix A).
    case server(state: String, message: String)
    /// The connection could not be made, or ended before the answer.
    case lost(cause: String)
    /// The server did not answer in time, and the connection was closed.
    case silent(for: Duration)
    /// The connection ended, or the server did not answer, after `COMMIT` was sent.
    case uncertain(cause: String)
    /// A value or a statement that was not sent.
    case refused(cause: String)
}

extension PostgresError {
    /// Whether a transaction that ran at the same time made this one fail: the same unit may succeed when it is run
    /// again.
    ///
    /// - 40001, serialization_failure
    /// - 40P01, deadlock_detected
    /// - 23505 of the audit: another connection has appended to the chain after this one read or wrote its last row
    var isSerializationFailure: Bool { state == "40001" || state == "40P01" || isOfAuditNumber }

    /// 23505: another transaction may have inserted the same key after this one looked for it.
    var isUniqueViolation: Bool { state == "23505" && !isOfAuditNumber }

    /// The message is in the server's language, with the name of the constraint in each.
    private var isOfAuditNumber: Bool {
        if case .server("23505", let message) = self { message.contains("audit_pkey") } else { false }
    }

    /// Whether the connection ended before `COMMIT` was sent, so that nothing was stored.
    var isLoss: Bool {
        if case .lost = self { true } else { false }
    }

    /// Whether other transactions defeated this one, while the database can do its work.
    ///
    /// - 55P03, lock_not_available
    ///
    /// 57014, query_canceled, is not among them: a server whose disk stands still ends statements with it.
    var isContention: Bool { isSerializationFailure || state == "55P03" }

    /// Whether the server refuses on this connection what it may do on a new one.
    ///
    /// - 25006, read_only_sql_transaction: the next connect may find the server that can be written.
    /// - 0A000, feature_not_supported: the same for a standby, and the end of a prepared statement whose table changed.
    var isOfConnection: Bool { state == "25006" || state == "0A000" }

    /// Whether the connection is of no more use.
    var endsConnection: Bool {
        switch self {
        case .lost, .silent, .uncertain: true
        case .server: isOfConnection
        case .refused: false
        }
    }

    private var state: String? {
        if case .server(let state, _) = self { state } else { nil }
    }
}

extension StoreError {
    /// Translates an error of PostgreSQL for the caller.
    ///
    /// The SQL, its values, and the details of a constraint are left out: they may contain what must not be logged.
    init(_ error: PostgresError) {
        switch error {
        case .server(let state, let message): self = Self.refusal(state, message)
        case .lost(let cause): self = .unavailable(cause: "the connection to PostgreSQL was lost: \(cause)")
        case .silent(let time):
            self = .unavailable(
                cause: "PostgreSQL did not answer within \(time.wholeMilliseconds) ms, and the connection was closed"
            )
        case .uncertain(let cause):
            self = .unavailable(
                cause: "the outcome is unknown, because the connection to PostgreSQL was lost during COMMIT: \(cause)"
            )
        case .refused(let cause): self = .conflict(cause: cause)
        }
    }

    private static func refusal(_ state: String, _ message: String) -> StoreError {
        let cause = "PostgreSQL \(state) (\(message))"
        switch state {
        // data_corrupted and index_corrupted
        case "XX001", "XX002": return .corrupt(cause: cause)
        // insufficient_privilege is in the class of errors of the program, and is the operator's.
        case "42501": return .unavailable(cause: cause)
        default: break
        }
        switch state.prefix(2) {
        // Values, constraints, and statements that the server does not understand.
        case "21", "22", "23", "42", "44": return .conflict(cause: cause)
        // Among others 08 and 57P0x (connection), 25006 (read-only server), 40 (conflicts), 53 (resources), 55 and 57
        // (locks and time), 58 (disk)
        default: return .unavailable(cause: cause)
        }
    }
}
