/// A database of one test's own on a ``PostgresServer``, dropped when nothing refers to it any more.
package final class TestPostgresDatabase: Sendable {
    package let server: PostgresServer
    package let name: String

    fileprivate init(_ server: PostgresServer, _ name: String) { (self.server, self.name) = (server, name) }

    deinit {
        let (server, name) = (server, name)
        Task.detached { try? await server.drop(name) }
    }

    /// Its URL over the Unix socket, as its owner.
    package var url: String { server.url(of: name) }

    /// Its URL over 127.0.0.1, without the owner's password, which is asked for there.
    package var networkURL: String { server.networkURL(of: name) }

    /// Runs SQL statements behind the daemon's back, as the database's owner.
    ///
    /// - Returns: The rows of all statements, their values as text, and NULL as `nil`.
    @discardableResult
    package func run(_ sql: String) async throws -> [[String?]] { try await server.run(sql, in: name) }
}

extension PostgresServer {
    /// The URL of a database over the Unix socket, where no password is asked for.
    package func url(of database: String, as user: String = owner) -> String {
        "postgresql:///\(database)?host=\(folder)&port=\(port)&user=\(user)"
    }

    /// The URL of a database over 127.0.0.1, without the password, which is asked for there.
    package func networkURL(of database: String, as user: String = owner) -> String {
        "postgresql://\(user)@127.0.0.1:\(port)/\(database)"
    }

    /// Makes an empty database.
    package func emptyDatabase() async throws -> TestPostgresDatabase { try await create(from: "template0") }

    /// Makes a copy of a database that was filled before.
    ///
    /// - Parameters:
    ///   - template: The name of what it is a copy of.
    ///   - prepare: Fills the template at that URL, once in this process for each name. It leaves no connection behind:
    ///     PostgreSQL copies no database that somebody is connected to.
    /// - Returns: The copy, which is dropped when nothing refers to it.
    /// - Throws: What `prepare` throws, and an error of the server.
    package func database(
        copying template: String,
        prepare: @escaping @Sendable (_ url: String) async throws -> Void
    ) async throws -> TestPostgresDatabase {
        try await create(
            from: templates.named(template) {
                let name = "template_\(template)"
                try await self.create(name, from: "template0")
                try await prepare(self.url(of: name))
                return name
            }
        )
    }

    /// Runs SQL statements on one connection, each for itself unless they say BEGIN.
    ///
    /// - Returns: The rows of all statements, their values as text, and NULL as `nil`.
    @discardableResult
    package func run(_ sql: String, in database: String, as user: String = owner) async throws -> [[String?]] {
        let words = [
            "\(binaries.folder)/psql", "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1",
            "-F", Self.separator, "-0", "-P", "null=\(Self.null)", "-f", "-", url(of: database, as: user),
        ]
        let input = "SET client_min_messages = warning; SET statement_timeout = '90s';\n\(sql)\n;\n"
        let (code, written) = try await ServerProcess.run(words, input: input)
        guard code == 0 else { throw ServerError("psql ended with \(code): \(written)") }
        return Self.rows(of: written)
    }

    /// Drops a database, whoever is connected to it.
    package func drop(_ database: String) async throws {
        try await run("DROP DATABASE IF EXISTS \(database) WITH (FORCE)", in: Self.superuser, as: Self.superuser)
    }

    private func create(from template: String) async throws -> TestPostgresDatabase {
        let name = "test_\(UInt64.random(in: 0...UInt64.max))"
        try await create(name, from: template)
        return TestPostgresDatabase(self, name)
    }

    private func create(_ name: String, from template: String) async throws {
        try await run(
            // The default, WAL_LOG, writes each page twice.
            "CREATE DATABASE \(name) OWNER \(Self.owner) TEMPLATE \(template) STRATEGY file_copy",
            in: Self.superuser,
            as: Self.superuser
        )
    }

    /// Characters that no value of a test holds.
    private static let (separator, null) = ("\u{1F}", "\u{1D}")

    /// Returns the rows of psql's output, each of which ends with a zero byte.
    private static func rows(of text: String) -> [[String?]] {
        text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map { row in
            row.split(separator: Character(separator), omittingEmptySubsequences: false)
                .map { $0 == null ? nil : String($0) }
        }
    }
}

/// The templates of a server. Each is made once, by the first who asks.
actor PostgresTemplates {
    private var made: [String: Task<String, any Error>] = [:]

    /// Returns the database's name.
    func named(_ name: String, make: @escaping @Sendable () async throws -> String) async throws -> String {
        let task = made[name] ?? Task { try await make() }
        made[name] = task
        return try await task.value
    }
}
