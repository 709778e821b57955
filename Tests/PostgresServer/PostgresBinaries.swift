import Glibc

/// The installed programs of PostgreSQL, and the user whom the server runs as.
struct PostgresBinaries: Sendable {
    let folder: String
    /// `nil`: the user of this process.
    let user: String?

    /// Returns those of the newest version from 15 on that is installed.
    ///
    /// The folder is Debian's and Ubuntu's, or that of `initdb` on the search path. Debian's own `psql` on the path is a
    /// script that looks for clusters: it takes ten times as long.
    static func found() throws -> PostgresBinaries {
        let debian = stride(from: 30, through: 15, by: -1).map { "/usr/lib/postgresql/\($0)/bin" }
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = debian + path.split(separator: ":").map(String.init)
        let needed = ["initdb", "postgres", "pg_ctl", "psql", "pg_basebackup"]
        let isComplete = { (folder: String) in needed.allSatisfy { access("\(folder)/\($0)", X_OK) == 0 } }
        guard let folder = folders.first(where: isComplete) else {
            throw PostgresServer.ServerError(
                "No PostgreSQL server of version 15 or later is installed, which these tests start. "
                    + "Install it with `apt-get install postgresql`, as `make test` does."
            )
        }
        guard getuid() == 0 else { return PostgresBinaries(folder: folder, user: nil) }
        guard getpwnam("postgres") != nil else {
            throw PostgresServer.ServerError(
                "PostgreSQL does not run as root, and there is no user named postgres. "
                    + "Install the package postgresql, which makes that user, or run the tests as another user."
            )
        }
        return PostgresBinaries(folder: folder, user: "postgres")
    }

    /// The command that makes the data folder.
    ///
    /// Nothing is synced: a folder that a power cut leaves half written is never used again.
    func initdb(in folder: String, password: String) -> String {
        """
        printf '%s' '\(password)' >\(folder)/password
        \(self.folder)/initdb -D \(folder)/data -U \(PostgresServer.superuser) --pwfile=\(folder)/password \
        --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C --no-sync --no-instructions
        """
    }

    /// The command that copies a running server, to be its standby.
    func copy(of server: PostgresServer, to folder: String) -> String {
        """
        \(self.folder)/pg_basebackup -D \(folder)/data -R -c fast --no-sync \
        -d 'host=\(server.folder) port=\(server.port) user=\(PostgresServer.superuser) application_name=standby'
        """
    }
}
