import CPq

/// The whole answer to one statement, freed with the last reference.
final class PostgresResult {
    let pointer: OpaquePointer

    /// `pointer`: a `PGresult`, which this object frees.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }

    var rowCount: Int32 { PQntuples(pointer) }

    /// The number of rows that the statement changed or returned, and 0 for statements that do neither.
    var changedRows: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// The name of the command that the server ran, such as `COMMIT`.
    var command: String { String(cString: PQcmdStatus(pointer)) }

    /// The error of a statement that failed, or `nil`.
    var error: PostgresError? {
        guard status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE else { return nil }
        guard let state = vestibule_pq_state(pointer).map({ String(cString: $0) }) else {
            return .lost(cause: PostgresMessage.line(PQresultErrorMessage(pointer)))
        }
        // The primary message of a data exception may quote the value.
        let quotesValue = state.hasPrefix("22")
        let message = quotesValue ? "a value was refused" : PostgresMessage.line(vestibule_pq_message(pointer))
        guard vestibule_pq_severity(pointer).map({ String(cString: $0) }) == "ERROR" else {
            return .lost(cause: "\(state) \(message)")
        }
        return .server(state: state, message: message)
    }
}

/// The texts of libpq's errors.
enum PostgresMessage {
    /// Returns the first line of a message of libpq.
    static func line(_ message: UnsafePointer<CChar>?) -> String {
        message.flatMap { String(cString: $0).split(whereSeparator: \.isNewline).first }.map { String($0) }
            ?? "no message"
    }

    /// Returns the lines of a message of libpq in one, without hints and places in the server's source.
    static func lines(_ message: UnsafePointer<CChar>?) -> String {
        let lines = message.map { String(cString: $0).split(whereSeparator: \.isNewline) } ?? []
        let told = lines.filter { !$0.hasPrefix("LOCATION:") && !$0.hasPrefix("\t") }
        return told.isEmpty ? "no message" : told.joined(separator: "; ")
    }
}
