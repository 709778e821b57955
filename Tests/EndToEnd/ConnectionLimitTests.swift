import Foundation
import Testing
import Wire

extension EndToEnd {
    /// The cost of a connection: silence, numbers and headers are limited, and honest clients are served.
    @Suite struct ConnectionLimits {
        /// Beginnings after which nothing more comes.
        static let silences = [
            "", "GET /livez HTTP/1.1\r\nHost: local", "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST /auth/biometric-login/initiate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 500\r\n\r\n{\"email\":",
        ]

        // T-232
        @Test(arguments: silences)
        func `attack: a connection that falls silent is closed after listen.idleTimeout`(
            _ beginning: String
        ) async throws {
            try await Fixture.run(["listen.idleTimeout=1s"]) { fixture in
                let connection = try RawConnection(port: fixture.daemon.port)
                if !beginning.isEmpty { try connection.write(beginning) }
                // Reading gives up after a minute with an error; the end of the stream is what is waited for.
                while try !connection.read(atMost: 4096).isEmpty {}
                try Self.expectAlive(fixture)
            }
        }

        // RFC 9110 §15.5.9; OWASP, Denial of Service Cheat Sheet: a byte now and then is neither silence nor a body.
        // T-229
        @Test(arguments: ["/auth/biometric-login/initiate", "/no/such/path"])
        func `attack: a connection whose body trickles in is closed`(_ path: String) async throws {
            try await Fixture.run(["listen.idleTimeout=3s"]) { fixture in
                let connection = try RawConnection(port: fixture.daemon.port)
                try connection.write(
                    "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 60000\r\n\r\n{"
                )
                var answer = ""
                var isEnded = false
                for _ in 0..<20 where !isEnded {
                    if try connection.hasSomething(within: 1) {
                        // A byte that came too late may cost the connection's last words.
                        let more = (try? connection.read(atMost: 4096)) ?? ""
                        isEnded = more.isEmpty
                        answer += more
                    } else {
                        try? connection.write(" ")
                    }
                }
                #expect(isEnded, "twenty seconds and more")
                #expect(answer.hasPrefix(path == "/no/such/path" ? "HTTP/1.1 404" : "HTTP/1.1 408"), "\(answer)")
                try Self.expectAlive(fixture)
            }
        }

        @Test func `a poll that is parked longer than silence may last does not count as silence`() async throws {
            try await Fixture.run(["listen.idleTimeout=1s"], people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.app.waitFor(hint: "user_in_provider", login)
                let answer = try await fixture.app.poll(login, wait: 3)
                #expect(answer.status == .pending)
            }
        }

        // T-232
        @Test func `attack: connections beyond listen.maxConnections wait, and are served once there is room`()
            async throws
        {
            try await Fixture.run(["listen.maxConnections=4"]) { fixture in
                let port = fixture.daemon.port
                var served: [Caller] = []
                var held: [Caller] = []
                // The server accepts a few at a time, so that a few beyond the most may get in.
                for _ in 0..<12 {
                    let caller = try Caller(port: port)
                    // The first have their places, however long a busy machine takes to say so.
                    let isServed = try caller.isAnswered(within: served.count < 4 ? 60 : held.isEmpty ? 3 : 1)
                    if isServed { served.append(caller) } else { held.append(caller) }
                }
                #expect(served.count >= 4, "as many as may")
                #expect(held.count >= 4, "of twelve only \(held.count) were held")
                served.removeAll()
                var late = 0
                for caller in held {
                    #expect(try caller.isAnswered(within: 60))
                    late += 1
                    // Its place is the next one's.
                    caller.leave()
                }
                #expect(late == held.count)
                try Self.expectAlive(fixture)
            }
        }

        // T-234
        @Test func `the daemon raises its limit of open files for its connections, and accepts fewer where it may not`()
            async throws
        {
            let limits = try await Self.openFiles(soft: 128, hard: 6000, connections: 4000)
            #expect(limits.soft == 6000, "the hard limit")
            #expect(!limits.isWarned)
            let tight = try await Self.openFiles(soft: 128, hard: 1500, connections: 4000)
            #expect(tight.soft == 1500)
            #expect(tight.isWarned, "fewer are accepted, and the log says so")
        }

        /// Starts a daemon under these limits; returns the soft limit that it gave itself.
        private static func openFiles(
            soft: Int,
            hard: Int,
            connections: Int
        ) async throws -> (soft: Int, isWarned: Bool) {
            try await TestFolder.use { folder in
                let program = try await RunningProgram.start(
                    "bash",
                    [
                        "-c", "ulimit -Sn \(soft); ulimit -Hn \(hard); exec \"$0\" \"$@\"", Programs.daemon, "serve",
                        "--data", folder.path, "--set", "listen.port=0",
                        "--set", "listen.maxConnections=\(connections)",
                    ]
                )
                _ = try await program.line(beginning: "vestibule listening on ")
                let file = try String(contentsOfFile: "/proc/\(program.processID)/limits", encoding: .utf8)
                program.send(signal: 15)
                try await program.ended(within: .seconds(60))
                let line = try #require(file.split(separator: "\n").first { $0.hasPrefix("Max open files") })
                let value = try #require(line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) })
                return (value, program.log.error.contains("raise the limit of open files"))
            }
        }

        static let headers = [
            "one long field": "X-Long: \(String(repeating: "x", count: 17 * 1024))\r\n",
            "many bytes in all": (0..<5).map { "X-\($0): \(String(repeating: "x", count: 8 * 1024))\r\n" }.joined(),
            "many fields": (0..<200).map { "X-\($0): x\r\n" }.joined(),
        ]

        // T-229
        @Test(arguments: headers.keys.sorted())
        func `attack: an overlong header block gets a 4xx or a close, and other connections are still served`(
            _ name: String
        ) async throws {
            let fields = try #require(Self.headers[name])
            try await Fixture.run { fixture in
                let honest = try RawConnection(port: fixture.daemon.port)
                for _ in 0..<5 {
                    let connection = try RawConnection(port: fixture.daemon.port)
                    try? connection.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
                    // A close on unread bytes may lose the last bytes that were sent.
                    let answer = (try? connection.readHead()) ?? ""
                    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(200))")
                }
                try honest.send("GET", "/livez", [:])
                #expect(try honest.readHead().hasPrefix("HTTP/1.1 200"))
                try Self.expectAlive(fixture)
            }
        }

        private static func expectAlive(_ fixture: Fixture) throws {
            let connection = try RawConnection(port: fixture.daemon.port)
            try connection.send("GET", "/livez", ["Connection": "close"])
            #expect(try connection.readHead().hasPrefix("HTTP/1.1 200"))
        }

        /// A connection that has asked for something and keeps open whatever comes.
        private final class Caller {
            private var connection: RawConnection?

            init(port: Int) throws {
                let connection = try RawConnection(port: port)
                try connection.send("GET", "/livez", [:])
                self.connection = consume connection
            }

            func isAnswered(within seconds: Int) throws -> Bool {
                guard try connection?.hasSomething(within: seconds) == true else { return false }
                return try connection?.readHead().hasPrefix("HTTP/1.1 200") == true
            }

            func leave() { connection = nil }
        }
    }
}
