import Glibc
import Testing

extension EndToEnd {
    /// Another user of the machine at the admin socket, whom the kernel names with its groups (`SO_PEERGROUPS`).
    struct AdminReaders {
        /// A group of the reader alone; it needs no entry in the system's database.
        private static let group = "45678"

        /// The reason why the test can't run here; `nil` if it can.
        private static var obstacle: String? {
            guard geteuid() == 0 else { return "it takes root to be another user" }
            for tool in ["setpriv", "curl"] where !Programs.isInstalled(tool) { return "\(tool) is not installed" }
            return getpwnam("nobody") == nil ? "there is no user nobody" : nil
        }

        /// Runs a command of the admin wire as nobody, in those groups.
        private static func ask(_ socket: String, _ message: String, groups: [String]) async throws -> CommandRun {
            let user = try #require(getpwnam("nobody")).pointee
            let identity = ["--reuid", "\(user.pw_uid)", "--regid", "\(user.pw_gid)"]
            let further = groups.isEmpty ? ["--clear-groups"] : ["--groups", groups.joined(separator: ",")]
            let request = [
                "curl", "--silent", "--show-error", "--max-time", "20", "--unix-socket", socket, "--header",
                "Content-Type: application/json", "--data", message, "http://localhost/admin",
            ]
            return try await CommandRun.run("setpriv", identity + further + request)
        }

        // T-220
        @Test func `a member of the readers' group reads, writes nothing, and another user gets nothing`() async throws
        {
            if let obstacle = Self.obstacle {
                print("skipped: readers of the admin socket: \(obstacle)")
                return
            }
            try await TestFolder.use { folder in
                // As an operator does it: a folder that the group may enter, and nobody else.
                try #require(chown(folder.path, 0, try #require(gid_t(Self.group))) == 0)
                try #require(chmod(folder.path, 0o710) == 0)
                let socket = folder["admin.sock"]
                let settings = ["listen.adminSocket=\(socket)", "listen.adminReadGroup=\(Self.group)"]
                try await Fixture.run(settings, people: ["ada@example.com"]) { fixture in
                    try await eventually("the socket, for the group too") {
                        var status = stat()
                        return stat(socket, &status) == 0 && status.st_mode & 0o777 == 0o660
                    }
                    let read = try await Self.ask(socket, #"{"listAccounts":{"limit":5}}"#, groups: [Self.group])
                    #expect(read.code == 0 && read.output.contains("ada@example.com"), "\(read)")
                    let disable = #"{"disableAccount":{"name":"ada@example.com"}}"#
                    let written = try await Self.ask(socket, disable, groups: [Self.group])
                    #expect(written.code == 0 && written.output.contains(#""read_only""#), "\(written)")
                    let listed = try await fixture.daemon.order(["accounts", "show", "ada@example.com"])
                    #expect(listed.output.contains("active"), "nothing was written: \(listed)")

                    let other = try await Self.ask(socket, #"{"listAccounts":{"limit":5}}"#, groups: [])
                    #expect(other.code != 0 && !other.output.contains("ada@example.com"), "\(other)")
                    // A socket that is open to everybody by mistake: then the daemon itself refuses.
                    try #require(chmod(folder.path, 0o711) == 0 && chmod(socket, 0o666) == 0)
                    let admitted = try await Self.ask(socket, #"{"listAccounts":{"limit":5}}"#, groups: [])
                    #expect(admitted.code == 0 && admitted.output.contains(#""forbidden""#), "\(admitted)")
                }
            }
        }
    }
}
