import Foundation
import Glibc
import Outbound
import Testing

extension EndToEnd {
    /// A daemon that can't start says why in a sentence, with an exit code, and without a trace of a crash.
    @Suite struct StartupFaults {
        private static let configFault: Int32 = 78
        static let unusableFile: Int32 = 74
        private static let unavailable: Int32 = 69

        // T-221
        @Test func `a second daemon on one data folder is refused`() async throws {
            try await Fixture.run { fixture in
                let second = try await serve(fixture.daemon.dataFolder)
                #expect(second.code == Self.unusableFile, "\(second)")
                #expect(second.complaint.contains("Another vestibule is using the data folder"), "\(second)")
                #expect(second.complaint.contains(fixture.daemon.dataFolder) && second.complaint.contains("--data"))
                // The first one is none the worse for it.
                #expect(try await fixture.web.send(.get, "\(fixture.daemon.url)/readyz").status == 200)
            }
        }

        // T-221
        @Test func `attack: without its lock file a second daemon is refused before it opens the database`()
            async throws
        {
            try await Fixture.run { fixture in
                let daemon = fixture.daemon
                try FileManager.default.removeItem(atPath: "\(daemon.dataFolder)/vestibule.lock")
                let second = try await serve(daemon.dataFolder)
                #expect(second.code == Self.unusableFile, "\(second)")
                #expect(second.complaint.contains("another program listens at \(daemon.adminSocket)"), "\(second)")
                #expect(!"\(second)".contains("operations were read back"), "\(second)")
                #expect(!second.output.contains("listening on"), "\(second)")
                for words in [["accounts", "list"], ["migrate"]] {
                    let run = try await CommandRun.run(Programs.daemon, words + daemon.options)
                    #expect(run.code == Self.unusableFile, "\(run)")
                    #expect(run.complaint.contains("lock file was removed"), "\(run)")
                }
                #expect(try await fixture.web.send(.get, "\(daemon.url)/readyz").status == 200)
                #expect(try await daemon.stop() == .exited(0))
                try await daemon.order(["audit", "verify"])
            }
        }

        @Test func `a port that is taken is named, with a way out`() async throws {
            try await Fixture.run { fixture in
                let port = fixture.daemon.port
                let second = try await serve(fixture.folder["other"], ["--set", "listen.port=\(port)"])
                #expect(second.code == Self.unavailable, "\(second)")
                #expect(second.complaint.contains(":\(port) is in use"), "\(second)")
                #expect(second.complaint.contains("--set listen.port="), "\(second)")
                isOneLine(second)
            }
        }

        @Test func `a taken port of the metrics is named, and the daemon does not report that it listens`()
            async throws
        {
            try await Fixture.run { fixture in
                let port = fixture.daemon.port
                let second = try await serve(
                    fixture.folder["other"],
                    ["--set", "metrics.enabled=true", "--set", "metrics.port=\(port)"]
                )
                #expect(second.code == Self.unavailable && second.output.isEmpty, "\(second)")
                #expect(second.complaint.contains(":\(port) is in use"), "\(second)")
                #expect(second.complaint.contains("--set metrics.port="), "\(second)")
                isOneLine(second)
            }
        }

        /// The addresses are tried before anything is started, so that only their error is reported.
        private func isOneLine(_ run: CommandRun) {
            #expect(run.complaint.split(separator: "\n").count == 1, "\(run)")
        }

        @Test func `every fault of a config is named with its line, and nothing is started`() async throws {
            try await TestFolder.use { folder in
                let text = try String(contentsOf: Self.shippedConfig, encoding: .utf8)
                    .replacing("\n  port: 8080\n", with: "\n  port: 99999\n")
                    .replacing("\n  lifetime: 3m\n", with: "\n  lifetime: 1s\n")
                    .replacing("\n  level: info\n", with: "\n  levle: info\n")
                let file = try folder.write("vestibule.yaml", text)
                let run = try await serve(folder["data"], ["--config", file])
                #expect(run.code == Self.configFault, "\(run)")
                for (key, line) in [("listen.port", "99999"), ("faceLogin.lifetime", "1s"), ("log.levle", "levle")] {
                    let number = try #require(Self.line(of: line, in: text))
                    #expect(run.error.contains("\(file):\(number): "), "\(key) at \(number): \(run)")
                    let fault = run.error.split(separator: "\n").first { $0.hasPrefix("\(file):\(number): ") }
                    #expect(fault?.contains(key.split(separator: ".").last ?? "") == true, "\(run)")
                }
                #expect(run.output.isEmpty, "\(run)")
                #expect(!FileManager.default.fileExists(atPath: folder["data"]))
            }
        }

        @Test func `a file other than a database is left alone`() async throws {
            try await TestFolder.use { folder in
                let data = try Self.dataFolder(in: folder)
                let garbage = Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) })
                try garbage.write(to: URL(filePath: "\(data)/vestibule.sqlite"))
                let run = try await serve(data)
                #expect(run.code == Self.unusableFile, "\(run)")
                #expect(run.complaint.contains("\(data)/vestibule.sqlite can't be opened"), "\(run)")
                #expect(FileManager.default.contents(atPath: "\(data)/vestibule.sqlite") == garbage)
            }
        }

        // T-211
        @Test func `a damaged database is refused`() async throws {
            try await TestFolder.use { folder in
                let data = folder["data"]
                try await migrate(data)
                let file = URL(filePath: "\(data)/vestibule.sqlite")
                var bytes = try Data(contentsOf: file)
                // The header stays whole; the tree of the schema behind it does not.
                bytes.replaceSubrange(100..<1024, with: Data(repeating: 0xA5, count: 924))
                try bytes.write(to: file)
                let run = try await serve(data)
                #expect(run.code == Self.unusableFile, "\(run)")
                #expect(run.complaint.contains("can't be opened"), "\(run)")
                #expect(run.complaint.contains("backup"), "\(run)")
            }
        }

        @Test(.enabled(if: Database.isReadable, Database.missingTool))
        func `a database of a newer program is refused`() async throws {
            try await TestFolder.use { folder in
                let data = folder["data"]
                try await migrate(data)
                try await Database(path: "\(data)/vestibule.sqlite").change(
                    "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, 'x', 'x', 0)"
                )
                for command in [["serve", "--set", "listen.port=0"], ["accounts", "list"], ["migrate"]] {
                    let run = try await CommandRun.run(Programs.daemon, command + ["--data", data])
                    #expect(run.code == Self.unusableFile, "\(run)")
                    #expect(run.complaint.contains("version 9999"), "\(run)")
                }
            }
        }

        @Test(.enabled(if: Database.isReadable, Database.missingTool))
        func `a data folder of before the first release is refused and left as it was`() async throws {
            try await TestFolder.use { folder in
                let data = folder["data"]
                _ = try await CommandRun.run(Programs.daemon, ["accounts", "add", "--name", "Ada", "--data", data])
                try await Database(path: "\(data)/vestibule.sqlite").change(
                    """
                    UPDATE schema_migrations SET name = 'initial schema';
                    INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (52, 'client endings', 'x', 0)
                    """
                )
                let before = try Self.contents(of: data)
                for command in [
                    ["serve", "--set", "listen.port=0"], ["accounts", "list"], ["migrate"], ["audit", "verify"],
                ] {
                    let run = try await CommandRun.run(Programs.daemon, command + ["--data", data])
                    #expect(run.code == Self.unusableFile, "\(run)")
                    #expect(run.complaint.contains("is refused: it is of a Vestibule before 0.1.0"), "\(run)")
                    #expect(run.complaint.contains("Start with a new data folder"), "\(run)")
                }
                #expect(try Self.contents(of: data) == before)
            }
        }

        /// Every file of a folder with its bytes, but for SQLite's shared memory, which has no content of its own.
        private static func contents(of folder: String) throws -> [String: Data] {
            let names = FileManager.default.subpaths(atPath: folder) ?? []
            return Dictionary(
                uniqueKeysWithValues: names.filter { !$0.hasSuffix("-shm") }.map { name in
                    (name, FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data())
                }
            )
        }

        // T-211
        @Test(.enabled(if: Database.isReadable, Database.missingTool))
        func `a database of something else is refused`() async throws {
            try await TestFolder.use { folder in
                let data = try Self.dataFolder(in: folder)
                try await Database(path: "\(data)/vestibule.sqlite").change("CREATE TABLE notes (text TEXT)")
                let run = try await serve(data)
                #expect(run.code == Self.unusableFile, "\(run)")
                #expect(run.complaint.contains("something else"), "\(run)")
            }
        }

        @Test func `a database file that can't be written is refused`() async throws {
            try await TestFolder.use { folder in
                let data = folder["data"]
                try await migrate(data)
                let database = "\(data)/vestibule.sqlite"
                chmod(database, 0o400)
                guard geteuid() == 0 else {
                    try await refused(try await serve(data), database)
                    return
                }
                // Nothing is read-only to root: somebody else tries.
                guard Programs.isInstalled("setpriv"), let somebody = getpwnam("nobody")?.pointee else {
                    print("skipped: root needs setpriv (util-linux) and the user nobody for read-only files")
                    return
                }
                chmod(folder.path, 0o755)
                for path in [data] + (FileManager.default.subpaths(atPath: data) ?? []).map({ "\(data)/\($0)" }) {
                    chown(path, somebody.pw_uid, somebody.pw_gid)
                }
                let identity = ["--reuid", "\(somebody.pw_uid)", "--regid", "\(somebody.pw_gid)", "--clear-groups"]
                let reach = try await CommandRun.run("setpriv", identity + [Programs.daemon, "version"])
                guard reach.code == 0 else {
                    print("skipped: the user nobody can't run \(Programs.daemon): \(reach.error)")
                    return
                }
                let run = try await CommandRun.run(
                    "setpriv",
                    identity + [Programs.daemon, "serve", "--data", data, "--set", "listen.port=0"]
                )
                try await refused(run, database)
            }
        }

        @Test func `a folder in the place of the database is refused`() async throws {
            try await TestFolder.use { folder in
                let data = try Self.dataFolder(in: folder)
                try FileManager.default.createDirectory(
                    atPath: "\(data)/vestibule.sqlite",
                    withIntermediateDirectories: false
                )
                try await refused(try await serve(data), "\(data)/vestibule.sqlite")
            }
        }

        // T-220
        @Test func `a file in the place of the admin socket is refused and left alone`() async throws {
            try await TestFolder.use { folder in
                let data = try Self.dataFolder(in: folder)
                let precious = try folder.write("data/vestibule.sock", "precious")
                let run = try await serve(data)
                #expect(run.code == Self.unusableFile, "\(run)")
                #expect(run.complaint.contains(precious) && run.complaint.contains("listen.adminSocket"), "\(run)")
                #expect(try String(contentsOfFile: precious, encoding: .utf8) == "precious")
            }
        }

        @Test func `an admin socket that can't be made is not reported as a port`() async throws {
            try await TestFolder.use { folder in
                let socket = folder["missing/admin.sock"]
                let run = try await serve(folder["data"], ["--set", "listen.adminSocket=\(socket)"])
                #expect(run.code == Self.unusableFile, "\(run)")
                #expect(run.complaint.contains(socket) && !run.complaint.contains("127.0.0.1"), "\(run)")
            }
        }

        // T-220
        @Test func `a data folder that others can write is refused`() async throws {
            try await TestFolder.use { folder in
                let data = try Self.dataFolder(in: folder)
                chmod(data, 0o777)
                let run = try await serve(data)
                #expect(run.code == Self.unusableFile, "\(run)")
                #expect(run.complaint.contains("chmod 700 \(data)"), "\(run)")
            }
        }

        private func refused(_ run: CommandRun, _ database: String) async throws {
            #expect(run.code == Self.unusableFile, "\(run)")
            #expect(run.complaint.contains("\(database) can't be opened"), "\(run)")
            #expect(run.complaint.contains("belong to this user"), "\(run)")
        }

        /// A daemon that is not expected to come up.
        func serve(_ data: String, _ more: [String] = []) async throws -> CommandRun {
            let port = more.contains { $0.hasPrefix("listen.port=") } || more.contains("--config")
            let words = ["serve", "--data", data] + (port ? [] : ["--set", "listen.port=0"]) + more
            let run = try await CommandRun.run(Programs.daemon, words, within: .seconds(60))
            #expect(!run.error.contains("Fatal error") && !run.error.contains("Crash"), "\(run)")
            return run
        }

        private func migrate(_ data: String) async throws {
            let run = try await CommandRun.run(Programs.daemon, ["migrate", "--data", data])
            guard run.code == 0 else { throw ExpectationError("\(run)") }
        }

        private static func dataFolder(in folder: TestFolder) throws -> String {
            let data = folder["data"]
            guard mkdir(data, 0o700) == 0 else { throw ExpectationError("mkdir: \(String(cString: strerror(errno)))") }
            return data
        }

        private static let shippedConfig = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../config/vestibule.yaml").standardizedFileURL

        /// The number of the only line that ends so or begins so.
        private static func line(of text: String, in config: String) -> Int? {
            let lines = config.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.firstIndex { line in
                let line = line.drop { $0 == " " }
                return !line.hasPrefix("#") && (line.hasSuffix(": \(text)") || line.hasPrefix("\(text):"))
            }.map { $0 + 1 }
        }
    }
}
