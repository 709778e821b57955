import Foundation
import Glibc
import Testing

extension EndToEnd {
    // T-218
    /// The files that a crash leaves behind.
    @Suite struct CoreFiles {
        /// core(5), setrlimit(2); CWE-528: a core file has the keys of the process in it.
        @Test func `attack: a daemon started with core files allowed leaves no core file when it crashes`()
            async throws
        {
            try await TestFolder.use { folder in
                let program = try await RunningProgram.start(
                    "bash",
                    [
                        // As far as the machine allows: where that is nothing, the limits below tell no difference.
                        // Where the toolchain's backtracer is at hand it takes the signal for its own, and the process lives on.
                        "-c",
                        "cd \"$1\"; shift; ulimit -Sc \"$(ulimit -Hc)\"; SWIFT_BACKTRACE=enable=no exec \"$0\" \"$@\"",
                        Programs.daemon, folder.path, "serve", "--data", folder.path, "--set", "listen.port=0",
                    ]
                )
                _ = try await program.line(beginning: "vestibule listening on ")
                let file = try String(contentsOfFile: "/proc/\(program.processID)/limits", encoding: .utf8)
                program.send(signal: SIGSEGV)
                try await program.ended(within: .seconds(60))

                let line = try #require(file.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
                let limits = line.split(separator: " ").dropFirst(4).prefix(2)
                #expect(limits == ["0", "0"], "\(line)")
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(!left.contains { $0.hasPrefix("core") }, "\(left)")
            }
        }
    }
}
