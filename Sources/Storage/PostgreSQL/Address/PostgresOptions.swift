package import Kernel

/// The settings with which a PostgreSQL database is opened.
package struct PostgresOptions: Sendable, Equatable {
    /// `postgres://user@host:port,host:port/database?sslmode=verify-full`, without the password.
    ///
    /// It is a secret, because somebody may have written the password there all the same.
    package var url: Secret
    /// `nil` for a server that asks for none, such as one that knows the user of a Unix socket.
    package var password: Secret?
    /// The number of connections: as many units of work and reads run at the same time.
    package var poolSize: Int
    /// The longest wait for the server's answer to one statement, after which the connection is closed.
    package var deadline: Duration
    /// How the daemons that share the database tell each other of changes, which is the same in all of them.
    package var notices: PostgresNotices
    /// Whether the server's clock is the witness of this machine's.
    ///
    /// Tests with a clock of their own say `false`.
    package var comparesClocks = true

    package init(
        url: Secret,
        password: Secret? = nil,
        poolSize: Int = 16,
        deadline: Duration = .seconds(5),
        notices: PostgresNotices = .listen
    ) {
        self.url = url
        self.password = password
        self.poolSize = poolSize
        self.deadline = deadline
        self.notices = notices
    }
}

/// How the daemons that share a database tell each other of changes.
///
/// The raw value is the word in the config and in the table of the daemons.
package enum PostgresNotices: String, Sendable, CaseIterable {
    /// LISTEN and NOTIFY: others are told within milliseconds.
    case listen
    /// Rows of a table that each daemon reads several times a second, for servers without LISTEN.
    case poll
}
