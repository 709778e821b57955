import Glibc

/// A real PostgreSQL server of the tests' own: its data is in a temporary folder, which is gone when this process ends,
/// however it ends.
///
/// Run by root, it runs as the user `postgres`, as PostgreSQL refuses root. On the Unix socket everybody who can reach the
/// folder is trusted; on 127.0.0.1 a password is asked for (SCRAM).
package final class PostgresServer: Sendable {
    /// An error of the server itself, or of an SQL statement of a test.
    package struct ServerError: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// How a stop treats its clients.
    package enum StopMode: String, Sendable, CaseIterable {
        /// Ends every connection, rolls open transactions back, and writes everything to the disk.
        case fast
        /// Ends every process at once, as a power cut would: the next start recovers from the log.
        case immediate
    }

    /// The user who may do everything; the owner of the tests' databases is ``owner``.
    package static let superuser = "postgres"
    /// The user that a daemon connects as: owns its database, and is allowed nothing else.
    package static let owner = "vestibule"
    /// The password of both users on 127.0.0.1.
    package static let password = "a password of the tests"

    /// Where the socket, the data and the log are.
    package let folder: String
    /// The port on 127.0.0.1, and the number in the socket's name.
    package let port: Int
    let binaries: PostgresBinaries
    let templates = PostgresTemplates()
    private let shell: ServerShell

    private init(_ shell: ServerShell, _ binaries: PostgresBinaries, port: Int) {
        (self.shell, folder, self.binaries, self.port) = (shell, shell.folder, binaries, port)
    }

    /// The server that all tests of this process share.
    ///
    /// It is started by the first test that asks.
    /// A test that stops, kills or changes a server starts one for itself: ``start(_:)``.
    package static var shared: PostgresServer {
        get async throws { try await common.value }
    }

    private static let common = Task { try await start() }

    /// Starts a server for the caller alone.
    package static func start(_ options: PostgresServerOptions = PostgresServerOptions()) async throws -> PostgresServer
    {
        let binaries = try PostgresBinaries.found()
        let shell = try ServerShell(runningAs: binaries.user, in: options.place)
        let server = PostgresServer(shell, binaries, port: try FreePort.number())
        try await shell.run(binaries.initdb(in: shell.folder, password: password))
        try await server.configure(options)
        try await server.start()
        try await server.run(
            "CREATE ROLE \(owner) LOGIN PASSWORD '\(password)'",
            in: superuser,
            as: superuser
        )
        return server
    }

    /// Starts a standby: a second server that follows this one's changes, and whose databases can only be read.
    ///
    /// Its name in `pg_stat_replication` and in `synchronous_standby_names` is `standby`.
    package func standby(_ options: PostgresServerOptions = PostgresServerOptions()) async throws -> PostgresServer {
        let shell = try ServerShell(runningAs: binaries.user, in: options.place)
        let server = PostgresServer(shell, binaries, port: try FreePort.number())
        try await shell.run(binaries.copy(of: self, to: shell.folder))
        try await server.configure(options)
        try await server.start()
        return server
    }

    /// Starts it again after ``stop(_:)`` or ``kill()``, on the same port and with the same data.
    package func start() async throws {
        try await shell.run("rm -f \(folder)/data/postmaster.pid")
        try await shell.start(
            "\(binaries.folder)/postgres -D \(folder)/data -k \(folder) -p \(port)",
            log: "\(folder)/log"
        )
        for _ in 0..<6000 {
            if isReady { return }
            guard try await shell.isRunning() else { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw ServerError("PostgreSQL did not start within 30 s. The end of its log:\n\(lastLines)")
    }

    /// Stops it and waits until it has ended.
    package func stop(_ mode: StopMode = .fast) async throws {
        try await shell.run("\(binaries.folder)/pg_ctl stop -s -w -t 60 -m \(mode.rawValue) -D \(folder)/data")
    }

    /// Kills it and all its processes at once (SIGKILL), as the kernel does when memory runs out.
    package func kill() async throws {
        try await shell.run(
            "kill -KILL $server $(cat /proc/$server/task/$server/children); wait $server 2>/dev/null; true"
        )
    }

    /// Stops it, and starts it again.
    package func restart(_ mode: StopMode = .fast) async throws {
        try await stop(mode)
        try await start()
    }

    /// Makes a standby a server that takes writes.
    package func promote() async throws {
        try await shell.run("\(binaries.folder)/pg_ctl promote -s -w -D \(folder)/data")
    }

    /// Appends settings and starts it again, so that they hold.
    package func configure(_ settings: [String: String]) async throws {
        try await append(settings)
        try await restart()
    }

    /// Sends a signal (`STOP`, `CONT`, `KILL`, …) to one of its processes.
    package func signal(_ name: String, process: Int) async throws { try await shell.run("kill -\(name) \(process)") }

    /// The process ids of the connections to that database, the oldest connection first.
    package func backends(of database: String) async throws -> [Int] {
        let sql = "SELECT pid FROM pg_stat_activity WHERE datname = '\(database)' ORDER BY backend_start"
        return try await run(sql, in: Self.superuser, as: Self.superuser).compactMap {
            $0.first.flatMap { $0 }.flatMap { Int($0) }
        }
    }

    /// The last lines of its log.
    package var lastLines: String {
        guard let log = TextFile.read("\(folder)/log") else { return "(there is no log)" }
        return log.split(separator: "\n").suffix(20).joined(separator: "\n")
    }

    private func configure(_ options: PostgresServerOptions) async throws {
        try await append(options.settings(folder: folder))
    }

    private func append(_ settings: [String: String]) async throws {
        let lines = settings.sorted { $0.key < $1.key }
            .map { "\($0) = '\($1.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'" }
            .joined(separator: "\n")
        try await shell.run("cat >>\(folder)/data/postgresql.auto.conf <<'END'\n\(lines)\nEND")
    }

    /// Whether it takes connections, as it notes itself (the eighth line of its file).
    private var isReady: Bool {
        let lines = TextFile.read("\(folder)/data/postmaster.pid")?.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        guard let lines, lines.count > 7 else { return false }
        return lines[7].hasPrefix("ready")
    }
}
