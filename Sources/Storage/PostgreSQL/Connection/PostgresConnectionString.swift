import CPq
import Kernel

/// The parameters of a connection to one host: the defaults of this program, and what the operator's connection string
/// says.
struct PostgresConnectionString {
    private let keywords: [String]
    private let values: [String]

    /// Returns the parameters for each host of the connection string, in its order.
    ///
    /// - Throws: ``PostgresError/refused(cause:)`` for a string that can't be used.
    static func all(_ options: PostgresOptions) throws(PostgresError) -> [PostgresConnectionString] {
        let address: PostgresAddress
        do throws(PostgresAddressError) { address = try options.address } catch { throw .refused(cause: error.message) }
        return address.hosts.map { PostgresConnectionString(address.parameters(of: $0), options) }
    }

    private init(_ parameters: [(name: String, value: String)], _ options: PostgresOptions) {
        let timeout = options.deadline.wholeMilliseconds
        var pairs = [
            (name: "fallback_application_name", value: "vestibule"), (name: "keepalives", value: "1"),
            (name: "keepalives_idle", value: "10"), (name: "keepalives_interval", value: "5"),
            (name: "keepalives_count", value: "3"), (name: "tcp_user_timeout", value: "\(timeout)"),
            (name: "client_encoding", value: "UTF8"),
            // It would take the place of TLS, and of the server's certificate.
            (name: "gssencmode", value: "disable"),
            // A file that can't be: libpq would take a password of the user's own (PostgreSQL 15, §34.16).
            (name: "passfile", value: "/dev/null/none"),
        ]
        pairs += parameters
        if let password = options.password { pairs.append((name: "password", value: password.expose())) }
        keywords = pairs.map(\.name)
        values = pairs.map(\.value)
    }

    /// Begins to connect.
    ///
    /// - Returns: A connection that is not usable yet.
    func start() throws(PostgresError) -> OpaquePointer {
        let connection = Self.withCStrings(keywords) { keywords in
            Self.withCStrings(values) { values in PQconnectStartParams(keywords, values, 0) }
        }
        guard let connection else { throw .lost(cause: "no memory") }
        // Notices would go to the standard error output.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        // The server's refusal of a connection has no other place for its SQLSTATE than the message.
        PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        guard PQstatus(connection) != CONNECTION_BAD else {
            defer { PQfinish(connection) }
            throw .lost(cause: PostgresMessage.lines(PQerrorMessage(connection)))
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
