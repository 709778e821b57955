import Glibc
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// Servers and databases that the daemon can't use are refused, with the remedy.
struct PostgresOpenErrorTests {
    private let server: PostgresServer

    init() async throws { server = try await PostgresServer.shared }

    private func options(_ url: String, password: String? = PostgresServer.password) -> PostgresOptions {
        PostgresOptions(url: Secret(url), password: password.map { Secret($0) }, deadline: .seconds(2))
    }

    @Test func `a server that does not run is told with its address`() throws {
        let error = try #require(options("postgres://vestibule@127.0.0.1:1/people").error())
        guard case .unreachable(let cause) = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(cause.contains("Connection refused"))
        #expect(error.message.contains("people at 127.0.0.1:1") && error.message.contains("storage.postgres.url"))
    }

    @Test func `a socket that nobody made, and a host that nobody knows, are unreachable`() throws {
        for url in ["postgres:///people?host=/no/such/folder", "postgres://no-such-host.invalid/people"] {
            guard case .unreachable = options(url).refusal() else {
                Issue.record("\(url): \(String(describing: options(url).refusal()))")
                continue
            }
        }
    }

    @Test func `a host that sends nothing is unreachable in time, and does not keep the next one from being tried`()
        async throws
    {
        let silent = try SilentServer()
        let database = try await server.migratedDatabase()
        let start = ContinuousClock.now
        guard case .unreachable(let cause) = options("postgres://127.0.0.1:\(silent.port)/people").refusal() else {
            Issue.record("it was opened")
            return
        }
        #expect(cause.contains("did not answer"))
        #expect(ContinuousClock.now - start < .seconds(60), "two seconds on an idle machine")
        let user = PostgresServer.owner
        let both = "postgres://\(user)@127.0.0.1:\(silent.port),127.0.0.1:\(server.port)/\(database.name)"
        var patient = options(both)
        patient.deadline = .seconds(10)
        #expect(patient.error() == nil)
    }

    @Test func `a COMMIT without an answer is not told as if nothing was changed`() async throws {
        let database = try await server.emptyDatabase()
        let opening = PostgresOpening(options: database.options, clock: Environment.real.clock)
        let error = #expect(throws: PostgresOpenError.self) {
            try opening.look { _ in throw PostgresError.uncertain(cause: "gone") }
        }
        #expect(error?.reason == .uncertain(cause: "gone"))
        #expect(error?.message.contains("may be changed or not: gone") == true)
        #expect(error?.message.contains("nothing was changed") == false)
    }

    // T-211
    @Test func `attack: a wrong password is refused by the server, and is in no message`() async throws {
        let database = try await server.migratedDatabase()
        for password in ["hunter2", nil] {
            let error = try #require(options(database.networkURL, password: password).error())
            guard case .login = error.reason else {
                Issue.record("\(error)")
                return
            }
            #expect(error.message.contains("storage.postgres.password"))
            #expect(!error.message.contains("hunter2"))
        }
        #expect(options(database.networkURL).error() == nil)
    }

    @Test func `a user that the server does not know is a refused login`() async throws {
        let database = try await server.emptyDatabase()
        guard case .login(let cause) = database.refusal(as: "nobody_known") else {
            Issue.record("it was opened")
            return
        }
        #expect(cause.contains("nobody_known"))
    }

    @Test func `a database that does not exist is told with the command that creates it`() throws {
        let error = try #require(options(server.url(of: "no_such_database")).error())
        #expect(error.reason == .unknownDatabase)
        #expect(error.message.contains("no_such_database at ") && error.message.contains("createdb"))
    }

    @Test func `a connection string that can't be used is refused before anything is asked`() throws {
        let error = try #require(options("postgres://u:hunter2@127.0.0.1:1/people").error())
        #expect(error.reason == .address(.password))
        #expect(error.message == PostgresAddressError.password.message)
    }

    @Test func `a database of another encoding than UTF-8 is refused`() async throws {
        let name = "ascii_\(UInt64.random(in: 0...UInt64.max))"
        let superuser = PostgresServer.superuser
        try await server.run(
            "CREATE DATABASE \(name) OWNER \(PostgresServer.owner) TEMPLATE template0 ENCODING 'SQL_ASCII'",
            in: superuser,
            as: superuser
        )
        let error = try #require(options(server.url(of: name)).error(migrating: true))
        #expect(error.reason == .encoding("SQL_ASCII"))
        #expect(error.message.contains("UTF8"))
        #expect(try await server.run("SELECT 1 FROM pg_class WHERE relname = 'accounts'", in: name).isEmpty)
        try await server.drop(name)
    }

    @Test func `a database whose transactions are read-only is refused`() async throws {
        let database = try await server.migratedDatabase()
        #expect(database.refusal() == nil)
        try await database.run("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
        #expect(database.refusal() == .readOnly)
    }

    @Test func `a server before version 14 is refused by its version`() {
        #expect(state(version: 130_014, versionName: "13.14").refusal == .outdated(version: "13.14"))
        #expect(state(version: 140_000).refusal == nil)
        #expect(message(.outdated(version: "13.14")).contains("13.14"))
    }

    @Test func `a server with too few predicate locks is refused with the setting to change`() async throws {
        let small = try await PostgresServer.start(
            PostgresServerOptions(more: ["max_pred_locks_per_transaction": "64"])
        )
        let database = try await small.emptyDatabase()
        #expect(database.refusal(migrating: true) == .predicateLocks(64))
        #expect(message(.predicateLocks(64)).contains("max_pred_locks_per_transaction = 64"))
        #expect(state(predicateLocks: 255).refusal == .predicateLocks(255))
    }

    @Test func `an inspection refuses what a start would, and changes nothing`() async throws {
        let (empty, migrated) = (try await server.emptyDatabase(), try await server.migratedDatabase())
        let error = #expect(throws: PostgresOpenError.self) {
            try PostgresDatabase.inspect(empty.options, environment: .tests)
        }
        #expect(error?.message.contains("vestibule migrate") == true)
        #expect(try await empty.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").isEmpty)
        #expect(try PostgresDatabase.inspect(migrated.options, environment: .tests).contains(.logIsNotSynced))
    }

    @Test func `a message of several lines is told in one`() {
        #expect(!message(.failed(cause: "one\ntwo\r\nthree")).contains { $0.isNewline })
    }

    @Test func `a standby is refused, and where standbys are not waited for, that is told`() async throws {
        let primary = try await PostgresServer.start(PostgresServerOptions(more: ["fsync": "on"]))
        let database = try await primary.migratedDatabase()
        let (name, superuser) = (database.name, PostgresServer.superuser)
        try await database.run("ALTER DATABASE \(name) SET synchronous_commit = on")
        #expect(try PostgresDatabase.warnings(database.options, clock: Environment.tests.clock).isEmpty)
        let standby = try await primary.standby()
        #expect(options(standby.url(of: name)).refusal() == .readOnly)
        #expect(try PostgresDatabase.warnings(database.options, clock: Environment.tests.clock) == [.failoverForgets])
        try await primary.run("ALTER SYSTEM SET synchronous_standby_names = 'standby'", in: superuser, as: superuser)
        try await primary.run("SELECT pg_reload_conf()", in: superuser, as: superuser)
        for _ in 0..<1000 where try !PostgresDatabase.warnings(database.options, clock: Environment.tests.clock).isEmpty
        {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try PostgresDatabase.warnings(database.options, clock: Environment.tests.clock).isEmpty)
        let both = "postgres://vestibule@127.0.0.1:\(standby.port),127.0.0.1:\(primary.port)/\(name)"
        #expect(options(both).error() == nil, "the primary is found among the hosts")
        let alone = "postgres://vestibule@127.0.0.1:\(standby.port)/\(name)?target_session_attrs=read-write"
        #expect(options(alone).refusal() == .readOnly)
    }

    @Test func `commits that are not synced are told, and not refused`() async throws {
        let database = try await server.migratedDatabase()
        try await database.run("ALTER DATABASE \(database.name) SET synchronous_commit = off")
        #expect(database.refusal() == nil)
        let warnings = try PostgresDatabase.warnings(database.options, clock: Environment.tests.clock)
        #expect(warnings == [.logIsNotSynced, .commitsAreNotSynced])
        #expect(
            PostgresWarning.allCases.allSatisfy { $0.message.contains("synchronous_commit") || $0 == .logIsNotSynced }
        )
    }

    private func state(
        version: Int = 150_000,
        versionName: String = "",
        predicateLocks: Int = 256
    ) -> PostgresServerState {
        PostgresServerState(
            version: version,
            versionName: versionName,
            encoding: "UTF8",
            isReadOnly: false,
            predicateLocks: predicateLocks,
            commits: .init(synchronousCommit: "on", syncsLog: true),
            standbys: 0,
            waitsForStandbys: false
        )
    }

    private func message(_ reason: PostgresOpenError.Reason) -> String {
        PostgresOpenError(database: "people at db:5432", reason: reason).message
    }
}

/// A server whose certificate is not the one that was asked for.
struct PostgresCertificateTests {
    /// Makes an authority and a certificate of it for `localhost`, in the server's folder, and turns TLS on.
    private static func start() async throws -> PostgresServer {
        let server = try await PostgresServer.start()
        let superuser = PostgresServer.superuser
        let commands = """
            cd \(server.folder)/data && exec 2>&1 \
            && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other -keyout other.key -out other.crt \
            && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.crt \
            && openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr \
            && echo subjectAltName=DNS:localhost >names \
            && openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names \
            -out server.crt && chmod 600 server.key
            """
        try await server.run("COPY (SELECT 1) TO PROGRAM '\(commands)'", in: superuser, as: superuser)
        try await server.run("ALTER SYSTEM SET ssl = on", in: superuser, as: superuser)
        try await server.restart()
        return server
    }

    // T-211
    @Test func `attack: a server with another certificate gets no password`() async throws {
        let server = try await Self.start()
        let database = try await server.migratedDatabase()
        let url = { (host: String, authority: String) in
            "postgres://\(PostgresServer.owner)@\(host):\(server.port)/\(database.name)?sslmode=verify-full"
                + "&sslrootcert=\(server.folder)/data/\(authority).crt"
        }
        let options = { (host: String, authority: String) in
            PostgresOptions(url: Secret(url(host, authority)), password: Secret(PostgresServer.password))
        }
        #expect(options("localhost", "ca").error() == nil)
        for (host, authority) in [("localhost", "other"), ("127.0.0.1", "ca"), ("localhost", "missing")] {
            guard case .certificate = options(host, authority).refusal() else {
                Issue.record("\(host), \(authority): \(String(describing: options(host, authority).refusal()))")
                continue
            }
        }
        #expect(options("localhost", "other").error()?.message.contains("sslrootcert") == true)
    }

    @Test func `a server without TLS is refused where it must prove itself`() async throws {
        let server = try await PostgresServer.shared
        let url = "postgres://\(PostgresServer.owner)@127.0.0.1:\(server.port)/postgres?sslmode=require"
        let options = PostgresOptions(url: Secret(url), password: Secret(PostgresServer.password))
        guard case .certificate(let cause) = options.refusal() else {
            Issue.record("\(String(describing: options.refusal()))")
            return
        }
        #expect(cause.contains("does not support SSL"))
    }
}

/// A port that takes connections and sends nothing.
private final class SilentServer {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(isListening)
    }

    deinit { close(descriptor) }
}
