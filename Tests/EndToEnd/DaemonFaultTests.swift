import Foundation
import Glibc
import Outbound
import Testing

extension EndToEnd {
    /// Faults of the machine: the daemon continues, or ends with a sentence and a code, and never by a trap.
    @Suite struct DaemonFaults {
        /// Starts the daemon by a shell that first does something to itself.
        private static func start(
            _ folder: TestFolder,
            by script: String,
            _ settings: [String] = []
        ) async throws -> RunningProgram {
            try await RunningProgram.start(
                "bash",
                ["-c", script, Programs.daemon, "serve", "--data", folder["data"], "--set", "listen.port=0"]
                    + settings.flatMap { ["--set", $0] }
            )
        }

        private static func port(_ program: RunningProgram, _ line: String) async throws -> Int {
            let words = try await program.line(beginning: line).split(separator: " ")
            guard let url = words.compactMap({ URL(string: String($0)) }).first(where: { $0.port != nil }) else {
                throw ExpectationError("no port in \(words)")
            }
            return url.port ?? 0
        }

        private static func answer(_ port: Int, _ path: String) throws -> String {
            let connection = try RawConnection(port: port)
            try connection.send("GET", path, ["Connection": "close"])
            return try connection.readHead()
        }

        // The shipped laptop config has warnings: they are written before anything else.
        @Test(arguments: ["2>/dev/full", "2>&-", "2> >(true)"])
        func `the daemon runs and stops cleanly although its standard error can't be written`(
            _ redirection: String
        ) async throws {
            try await TestFolder.use { folder in
                let program = try await Self.start(folder, by: "exec \"$0\" \"$@\" \(redirection)")
                let port = try await Self.port(program, "vestibule listening on ")
                for _ in 0..<20 { #expect(try Self.answer(port, "/readyz").hasPrefix("HTTP/1.1 200")) }
                program.send(signal: SIGTERM)
                #expect(try await program.ended(within: .seconds(60)) == .exited(0))
            }
        }

        // T-234
        @Test func `a limit of open files below the config's needs is an error in the config`() async throws {
            try await TestFolder.use { folder in
                let program = try await Self.start(folder, by: "ulimit -n 64; exec \"$0\" \"$@\"")
                #expect(try await program.ended(within: .seconds(60)) == .exited(78))
                #expect(program.log.error.contains("The limit of open files is 64, and this config needs"))
                #expect(!FileManager.default.fileExists(atPath: folder["data"]))
            }
        }

        private static let measured = ["metrics.enabled=true", "metrics.port=0", "log.access=false"]

        // T-234
        @Test func `attack: with a limit of 256 files and all connections in use the daemon still answers`()
            async throws
        {
            try await TestFolder.use { folder in
                let program = try await Self.start(folder, by: "ulimit -n 256; exec \"$0\" \"$@\"", Self.measured)
                let metrics = try await Self.port(program, "vestibule metrics on ")
                let port = try await Self.port(program, "vestibule listening on ")
                try await eventually("the warning") {
                    program.log.error.contains("fewer connections are accepted than listen.maxConnections")
                }
                var held: [Held] = []
                for _ in 0..<200 { held.append(try Held(port: port)) }
                for _ in 0..<60 { held.append(try Held(port: metrics)) }
                try await Task.sleep(for: .seconds(4))
                #expect(kill(program.processID, 0) == 0)
                held.removeAll()
                try await eventually("an answer") {
                    (try? Self.answer(port, "/readyz").hasPrefix("HTTP/1.1 200")) == true
                }
                program.send(signal: SIGTERM)
                #expect(try await program.ended(within: .seconds(60)) == .exited(0))
            }
        }

        // T-234
        @Test func `attack: while file descriptors run out no connection is accepted, and the daemon lives`()
            async throws
        {
            try await TestFolder.use { folder in
                let program = try await Self.start(folder, by: "ulimit -n 400; exec \"$0\" \"$@\"", Self.measured)
                let metrics = try await Self.port(program, "vestibule metrics on ")
                let port = try await Self.port(program, "vestibule listening on ")
                var held: [Held] = []
                for _ in 0..<60 { held.append(try Held(port: port)) }
                try await Task.sleep(for: .seconds(1))
                try await Self.limit(program.processID, to: try Self.lowestFree(program) + 4)
                for _ in 0..<40 { held.append(try Held(port: port)) }
                try await Task.sleep(for: .seconds(4))
                #expect(kill(program.processID, 0) == 0)
                #expect(program.log.error.contains("no connections are accepted for now"), "\(program.log.tail())")
                try await Self.limit(program.processID, to: 400)
                held.removeAll()
                try await eventually("an answer") {
                    (try? Self.answer(port, "/readyz").hasPrefix("HTTP/1.1 200")) == true
                }
                let text = try await WebClient.use {
                    try await $0.send(.get, "http://127.0.0.1:\(metrics)/metrics").text
                }
                #expect(text.firstMatch(of: /\nvestibule_accept_pauses_total [1-9]/) != nil)
                #expect(program.log.error.contains("connections are accepted again"))
                program.send(signal: SIGTERM)
                #expect(try await program.ended(within: .seconds(60)) == .exited(0))
            }
        }

        // Nothing fails that the server could see: what the process opens by itself would be the first.
        // T-234
        @Test func `attack: a file limit lowered while idle is logged, and the daemon lives`() async throws {
            try await TestFolder.use { folder in
                let program = try await Self.start(folder, by: "ulimit -n 400; exec \"$0\" \"$@\"")
                let port = try await Self.port(program, "vestibule listening on ")
                for _ in 0..<5 { #expect(try Self.answer(port, "/readyz").hasPrefix("HTTP/1.1 200")) }
                try await Task.sleep(for: .seconds(1))
                try await Self.limit(program.processID, to: try Self.lowestFree(program) + 4)
                let line = "no connections are accepted for now"
                try await eventually("the line") { program.log.error.contains(line) }
                try await Task.sleep(for: .seconds(4))
                #expect(kill(program.processID, 0) == 0)
                #expect(program.log.error.split(separator: "\n").count { $0.contains(line) } == 1)
                try await Self.limit(program.processID, to: 400)
                try await eventually("the end of it") { program.log.error.contains("connections are accepted again") }
                try await eventually("an answer") {
                    (try? Self.answer(port, "/readyz").hasPrefix("HTTP/1.1 200")) == true
                }
                program.send(signal: SIGTERM)
                #expect(try await program.ended(within: .seconds(60)) == .exited(0))
            }
        }

        private static func lowestFree(_ program: RunningProgram) throws -> Int {
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.processID)/fd")
            let used = Set(open.compactMap { Int($0) })
            return (0..<400).first { !used.contains($0) } ?? 0
        }

        private static func limit(_ process: pid_t, to files: Int) async throws {
            let words = ["--pid", "\(process)", "--nofile=\(files):400"]
            let run = try await CommandRun.run("prlimit", words)
            guard run.code == 0 else { throw ExpectationError("\(run)") }
        }

        /// A connection that has asked for something, answered or not.
        private final class Held {
            private let connection: RawConnection

            init(port: Int) throws {
                let connection = try RawConnection(port: port)
                try connection.send("GET", "/livez", [:])
                self.connection = consume connection
            }
        }

        // T-232
        @Test func `attack: an address over listen.maxConnectionsPerAddress is refused and named in the log`()
            async throws
        {
            try await Fixture.run(["listen.maxConnectionsPerAddress=4", "metrics.enabled=true", "metrics.port=0"]) {
                fixture in
                let program = try #require(fixture.daemon.program)
                let metrics = try await Self.port(program, "vestibule metrics on ")
                let port = fixture.daemon.port
                var held: [Held] = []
                for _ in 0..<4 { held.append(try Held(port: port)) }
                try await eventually("four connections") {
                    try await fixture.web.send(.get, "http://127.0.0.1:\(metrics)/metrics").text
                        .contains("\nvestibule_connections_open 4\n")
                }
                for _ in 0..<5 { #expect((try? Self.answer(port, "/livez"))?.hasPrefix("HTTP/1.1 200") != true) }
                let text = try await fixture.web.send(.get, "http://127.0.0.1:\(metrics)/metrics").text
                #expect(text.contains("\nvestibule_connections_refused_total 5\n"), "\(text)")
                let line = program.log.error.split(separator: "\n").first { $0.contains("maxConnectionsPerAddress") }
                #expect(line?.contains("address=127.0.0.1") == true)
                held.removeAll()
                try await eventually("an answer") {
                    (try? Self.answer(port, "/livez").hasPrefix("HTTP/1.1 200")) == true
                }
            }
        }

        @Test func `readyz reports a stop first, while every request is still answered`() async throws {
            try await Fixture.run(["listen.drainNotice=4s"]) { fixture in
                let (port, program) = (fixture.daemon.port, try #require(fixture.daemon.program))
                let kept = try RawConnection(port: port)
                // Without a body, so that the next answer begins where this one ends.
                try kept.send("HEAD", "/livez", [:])
                #expect(try kept.readHead().hasPrefix("HTTP/1.1 200"))
                #expect(try Self.answer(port, "/readyz").hasPrefix("HTTP/1.1 200"))
                let start = ContinuousClock.now
                program.send(signal: SIGTERM)
                try await eventually("readyz to say so") { try Self.answer(port, "/readyz").hasPrefix("HTTP/1.1 503") }
                let answer = try Self.answer(port, "/livez")
                #expect(answer.hasPrefix("HTTP/1.1 200"), "the listener still accepts")
                #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
                // Without a body, so that the next answer begins where this one ends.
                try kept.send("HEAD", "/livez", [:])
                #expect(try kept.readHead().lowercased().contains("\r\nconnection: close\r\n"))
                #expect(try kept.hasSomething(within: 2) && kept.read(atMost: 1).isEmpty, "and so it is")
                #expect(ContinuousClock.now - start < .seconds(4), "while the notice lasts")
                #expect(try await program.ended(within: .seconds(60)) == .exited(0))
                #expect(ContinuousClock.now - start >= .seconds(4))
            }
        }

        @Test func `a request that was written on a kept connection as the stop came is answered`() async throws {
            try await Fixture.run { fixture in
                let program = try #require(fixture.daemon.program)
                let kept = try RawConnection(port: fixture.daemon.port)
                // Without a body, so that the next answer begins where this one ends.
                try kept.send("HEAD", "/livez", [:])
                _ = try kept.readHead()
                _ = try? kept.hasSomething(within: 0)
                program.send(signal: SIGTERM)
                // After the signal, before the daemon can have told anybody.
                try kept.send("HEAD", "/version", [:])
                let head = try kept.readHead()
                #expect(head.hasPrefix("HTTP/1.1 200"), "\(head)")
                #expect(try await program.ended(within: .seconds(60)) == .exited(0))
            }
        }

        /// Where the runtime of this process looks for what writes crash reports (swift-backtrace).
        private static let hasCrashReports: Bool = {
            // proc(5): it has no size that could be read at once.
            let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
            let end = "/lib/swift/linux/libswiftCore.so"
            let lines = String(decoding: maps ?? Data(), as: UTF8.self).split(separator: "\n")
            let runtime = lines.first { $0.hasSuffix(end) }
            guard let runtime, let start = runtime.firstIndex(of: "/") else { return false }
            let root = String(runtime[start...].dropLast(end.count))
            return ["", "-static"].contains {
                FileManager.default.isExecutableFile(atPath: "\(root)/libexec/swift/linux/swift-backtrace\($0)")
            }
        }()

        // CWE-532: a key, a password or a token is where a register points to.
        // T-218
        @Test(.enabled(if: hasCrashReports, "swift-backtrace is not installed beside this toolchain's runtime"))
        func `attack: a crash writes no registers and no memory contents into the log`() async throws {
            try await TestFolder.use { folder in
                let program = try await Self.start(folder, by: "SWIFT_BACKTRACE=registers=all exec \"$0\" \"$@\"")
                _ = try await Self.port(program, "vestibule listening on ")
                program.send(signal: SIGSEGV)
                for _ in 0..<300 where !program.log.error.contains("done ***") {
                    guard kill(program.processID, 0) == 0 else { break }
                    try await Task.sleep(for: .milliseconds(100))
                }
                try await Task.sleep(for: .seconds(2))
                await program.destroy()
                let text = program.log.error + program.log.output
                #expect(text.contains("crashed"), "no report was written: \(program.log.tail())")
                #expect(!text.contains("Registers:") && !text.contains("rax"), "\(program.log.tail())")
                #expect(text.firstMatch(of: /( [0-9a-f]{2}){8}/) == nil, "bytes of memory")
            }
        }
    }
}
