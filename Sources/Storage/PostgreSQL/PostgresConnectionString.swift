import CPq
import Kernel

/// The parameters of a connection: the defaults of this program, then the operator's connection string, then what the
/// string may not change.
struct PostgresConnectionString {
    private let keywords: [String]
    private let values: [String]

    /// - Throws: ``PostgresError/refused(cause:)`` for a string that libpq can't read. Its own message is not passed on,
    ///   because it quotes the string, in which there may be a password.
    init(_ options: PostgresOptions) throws(PostgresError) {
        let url = options.url.expose()
        guard let parsed = PQconninfoParse(url, nil) else {
            throw .refused(cause: "the connection string can't be read")
        }
        PQconninfoFree(parsed)
        let timeout = options.deadline.wholeMilliseconds
        var pairs = [
            ("fallback_application_name", "vestibule"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "\(timeout)"), ("dbname", url), ("keepalives", "1"),
            ("client_encoding", "UTF8"),
        ]
        if let password = options.password { pairs.append(("password", password.expose())) }
        keywords = pairs.map(\.0)
        values = pairs.map(\.1)
    }

    /// Begins to connect.
    ///
    /// - Returns: A connection that is not usable yet.
    func start() throws(PostgresError) -> OpaquePointer {
        let connection = Self.withCStrings(keywords) { keywords in
            Self.withCStrings(values) { values in PQconnectStartParams(keywords, values, 1) }
        }
        guard let connection else { throw .lost(cause: "no memory") }
        // Notices would go to the standard error output.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        guard PQstatus(connection) != CONNECTION_BAD else {
            defer { PQfinish(connection) }
            throw .lost(cause: PostgresMessage.line(PQerrorMessage(connection)))
        }
        return connection
    }

    /// Passes texts as an array of C strings that ends with NULL.
    private static func withCStrings<T>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T) -> T {
        var bytes: [CChar] = []
        let starts = texts.map { text in
            defer { bytes.append(contentsOf: text.utf8CString) }
            return bytes.count
        }
        return bytes.withUnsafeBufferPointer { buffer in
            body(starts.map { buffer.baseAddress?.advanced(by: $0) } + [nil])
        }
    }
}
