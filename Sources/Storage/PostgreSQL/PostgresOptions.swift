package import Kernel

/// How PostgreSQL is reached, and how many connections one daemon uses.
package struct PostgresOptions: Sendable, Equatable {
    /// A connection string of libpq: a URI `postgresql://…`, or words such as `host=… dbname=…`.
    package var url: Secret
    /// The password, unless the connection string or the server's own rules make it unnecessary.
    package var password: Secret?
    /// The number of connections, each with a thread of its own.
    package var poolSize: Int
    /// The longest wait for the answer to one statement, after which the connection is closed.
    package var deadline: Duration

    package init(url: Secret, password: Secret? = nil, poolSize: Int = 16, deadline: Duration = .seconds(5)) {
        self.url = url
        self.password = password
        self.poolSize = poolSize
        self.deadline = deadline
    }
}
