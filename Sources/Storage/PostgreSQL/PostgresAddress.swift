import Kernel

/// Where a PostgreSQL database is and how it is reached: a connection string that was read and checked.
///
/// libpq receives ``parameters(of:)`` and never the text, so that nothing of the text reaches it unchecked.
package struct PostgresAddress: Sendable, Equatable {
    /// A server, or one of several that are tried in their order.
    package struct Host: Sendable, Equatable {
        /// A name, an address without brackets, or the folder of a Unix socket.
        package let name: String
        package let port: Int

        package var isSocket: Bool { name.hasPrefix("/") }

        var isLoopback: Bool { ["localhost", "127.0.0.1", "::1"].contains(name) }
    }

    /// How far a connection is protected, from the least (libpq, `sslmode`).
    package enum Protection: String, Sendable, CaseIterable {
        case disable, allow, prefer, require
        case verifyCA = "verify-ca"
        case verifyFull = "verify-full"
    }

    package let hosts: [Host]
    /// `nil` for the name of the operating system's user.
    package let user: String?
    package let database: String
    package let protection: Protection
    /// The further parameters of the query, by their names in libpq.
    let further: [String: String]

    /// Whether nobody between here and the server can read or change anything, or pose as the server.
    package var isProtected: Bool { hosts.allSatisfy(\.isSocket) || protection == .verifyFull }

    /// The database and its servers as messages name them.
    package var name: String {
        let places = hosts.map { host in
            if host.isSocket { return "\(host.name) (port \(host.port))" }
            return host.name.contains(":") ? "[\(host.name)]:\(host.port)" : "\(host.name):\(host.port)"
        }
        return "\(database) at \(places.joined(separator: ", "))"
    }

    /// The names and values for libpq (PostgreSQL 15, §34.1.2) to connect to one of the hosts, without a password.
    func parameters(of host: Host) -> [(name: String, value: String)] {
        var parameters = [
            (name: "host", value: host.name), (name: "port", value: "\(host.port)"), (name: "dbname", value: database),
            (name: "sslmode", value: protection.rawValue),
        ]
        if let user { parameters.append((name: "user", value: user)) }
        // A daemon that is given a primary and its standbys always means the primary.
        if hosts.count > 1, further["target_session_attrs"] == nil {
            parameters.append((name: "target_session_attrs", value: "read-write"))
        }
        return parameters + further.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}

extension PostgresOptions {
    /// The checked address of ``url``.
    package var address: PostgresAddress {
        get throws(PostgresAddressError) { try PostgresAddress(parsing: url.expose()) }
    }
}
