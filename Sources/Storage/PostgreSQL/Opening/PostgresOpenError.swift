/// The reason why a PostgreSQL database can't be used, with the remedy.
package struct PostgresOpenError: Error, Equatable, Sendable {
    /// The database and its servers, as messages name them.
    package let database: String
    package let reason: Reason

    package enum Reason: Error, Equatable, Sendable {
        case address(PostgresAddressError)
        case unreachable(cause: String)
        /// The user or the password is not accepted, or the server admits nobody from here.
        case login(cause: String)
        /// The server did not prove that it is the one that is meant.
        case certificate(cause: String)
        case unknownDatabase
        /// A server before version 14.
        case outdated(version: String)
        case encoding(String)
        /// A standby, or a role whose transactions are read-only.
        case readOnly
        /// The rights that the role lacks, such as `INSERT on accounts`.
        case rights([String])
        /// Fewer predicate locks than SERIALIZABLE needs to lock rows instead of whole tables.
        case predicateLocks(Int)
        case schema(SchemaError)
        /// Another migration, or a program that uses the tables, did not end in time.
        case busy(cause: String)
        /// The connection ended while a change was committed, so that it may be done or not.
        case uncertain(cause: String)
        /// `storage move` writes to the database, or it wants to, and others have the database open.
        case claimed
        /// A daemon of the database tells others of changes in another way than this process.
        case otherNotices(node: String, notices: String)
        case failed(cause: String)
    }

    /// The message in one line, whatever libpq or the server says.
    package var message: String { sentences.split(whereSeparator: \.isNewline).joined(separator: " ") }

    private var sentences: String {
        switch reason {
        case .address(let error): error.message
        case .unreachable(let cause):
            "The PostgreSQL database \(database) can't be reached: \(cause). Check that the server runs, that "
                + "storage.postgres.url names it, and that no firewall is between."
        case .login(let cause):
            "The PostgreSQL database \(database) refuses the login: \(cause). Check the user in storage.postgres.url, "
                + "storage.postgres.password, and pg_hba.conf of the server."
        case .certificate(let cause):
            "The server of the PostgreSQL database \(database) can't be trusted: \(cause). Give the server a certificate "
                + "for the host in storage.postgres.url, and name its authority there as sslrootcert=/path."
        case .unknownDatabase:
            "The PostgreSQL database \(database) does not exist. Create it with "
                + "`createdb --template template0 --encoding UTF8`, or correct its name in storage.postgres.url."
        case .outdated(let version):
            "The PostgreSQL database \(database) is on a server of version \(version), and Vestibule needs 14 or later. "
                + "Upgrade the server."
        case .encoding(let found):
            "The PostgreSQL database \(database) has the encoding \(found), and Vestibule needs UTF8. Create one with "
                + "`createdb --template template0 --encoding UTF8` and name it in storage.postgres.url."
        case .readOnly:
            "The PostgreSQL database \(database) is read-only: its server is a standby, or "
                + "default_transaction_read_only is on. Name the primary server in storage.postgres.url."
        case .rights(let missing):
            "The role for the PostgreSQL database \(database) lacks rights: \(Self.list(missing)). Grant them as the "
                + "owner of the database."
        case .predicateLocks(let found):
            "The server of the PostgreSQL database \(database) has max_pred_locks_per_transaction = \(found), so that "
                + "logins would lock whole tables against each other. Set it to 256 or more and restart the server."
        case .schema(let error): "The PostgreSQL database \(database) is refused: \(error.explanation(.postgres))"
        case .busy(let cause):
            "The PostgreSQL database \(database) is in use by another program, and nothing was changed: \(cause). Run "
                + "`vestibule migrate` again when that has ended."
        case .uncertain(let cause):
            "The PostgreSQL database \(database) may be changed or not: \(cause). Run `vestibule migrate` again, which "
                + "changes only what is still missing."
        case .claimed:
            "The PostgreSQL database \(database) is in use by another Vestibule that excludes this one. While `vestibule "
                + "storage move` writes to a database, nothing else may use it: wait, or stop the daemons."
        case .otherNotices(let node, let notices):
            "The daemon \(node) of the PostgreSQL database \(database) has storage.postgres.notices: \(notices), so that "
                + "this process and it would not hear of each other's changes. Write the same for all daemons and commands. "
                + "To change it, stop all daemons first."
        case .failed(let cause):
            "The PostgreSQL database \(database) can't be opened, and nothing was changed: \(cause). The log of the "
                + "server says more."
        }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(5).joined(separator: ", ")
        return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
    }
}

extension PostgresOpenError.Reason {
    /// Finds the reason in a message of libpq about a connection that could not be made.
    ///
    /// libpq gives no SQLSTATE of such an error. Its verbose messages have it in the text, in every language of the
    /// server, as `FATAL:  28P01: …`.
    init(connecting cause: String) {
        if let state = cause.firstMatch(of: #/:  ([0-9A-Z]{5}): /#)?.output.1 {
            switch state {
            case "28P01", "28000": self = .login(cause: cause)
            case "3D000": self = .unknownDatabase
            case "42501": self = .rights(["CONNECT on the database"])
            default: self = .unreachable(cause: cause)
            }
        } else if cause.contains("no password supplied") {
            self = .login(cause: cause)
        } else if cause.contains("certificate") || cause.contains("SSL") {
            self = .certificate(cause: cause)
        } else if cause.split(separator: "; ").allSatisfy(Self.isOfStandby) {
            self = .readOnly
        } else {
            self = .unreachable(cause: cause)
        }
    }

    /// Whether a server refused because it can't be written, while `target_session_attrs` asks for one that can.
    private static func isOfStandby(_ cause: Substring) -> Bool {
        cause.contains("session is read-only") || cause.contains("server is in hot standby mode")
    }
}
