import Foundation
import Testing

extension EndToEnd {
    /// `authid-mock --script`, as a CI job calls it: its exit code says how that went.
    @Suite struct ScriptedMock {
        private static let short = "timeline:\n  - { say: begins }\n  - { afterMs: 100, say: ends }\n"
        private static let waiting = "timeline:\n  - { waitFor: created, say: there it is }\n"

        private static func run(_ script: String, _ arguments: [String]) async throws -> CommandRun {
            try await TestFolder.use { folder in
                let file = try folder.write("scenario.yaml", script)
                return try await CommandRun.run(Programs.mock, ["--script", file, "--port", "0"] + arguments)
            }
        }

        @Test func `a script that is played to its end ends with 0`() async throws {
            let run = try await Self.run(Self.short, ["--timeout", "60"])
            #expect(run.code == 0 && run.output.contains("the timeline is over"), "\(run)")
        }

        @Test func `a script that waits in vain ends with 5, and says for what`() async throws {
            let run = try await Self.run(Self.waiting, ["--timeout", "1"])
            #expect(run.code == 5, "\(run)")
            #expect(run.error.contains("not over in time: step 1 of 1, waiting for a scan to begin."), "\(run)")
        }

        @Test func `a command that fails passes its own code on`() async throws {
            let run = try await Self.run(Self.short, ["--", "sh", "-c", "exit 7"])
            #expect(run.code == 7 && run.error.contains("The command ended with 7"), "\(run)")
        }

        @Test func `a command that ends before the script is over ends with 6`() async throws {
            let run = try await Self.run(Self.waiting, ["--", "true"])
            #expect(run.code == 6 && run.error.contains("The command ended before the script was over"), "\(run)")
        }

        @Test func `a command finds the mock, and runs on when the script is over`() async throws {
            let command = "sleep 1; echo \"at $AUTHID_MOCK_URL\""
            let run = try await Self.run(Self.short, ["--timeout", "60", "--", "sh", "-c", command])
            #expect(run.code == 0 && run.output.contains("at http://127.0.0.1:"), "\(run)")
        }

        @Test func `a command that does not end is ended with the script's time`() async throws {
            let run = try await Self.run(Self.waiting, ["--timeout", "1", "--", "sleep", "600"])
            #expect(run.code == 5, "\(run)")
        }

        @Test(
            arguments: [
                (["--timeout", "5"], 64), (["--script", "no-such-file.yaml"], 2),
                (["--script", "x.yaml", "--timeout", "0"], 64), (["--", "true"], 64),
            ] as [([String], Int32)]
        )
        func `what can't be run is refused before anything is served`(_ arguments: [String], _ code: Int32) async throws
        {
            let run = try await CommandRun.run(Programs.mock, arguments)
            #expect(run.code == code && !run.output.contains("listening"), "\(run)")
        }

        @Test func `the shipped script for CI signs nobody in without a login, and says so`() async throws {
            let root = URL(filePath: #filePath).appending(path: "../../..").standardized
            let script = root.appending(path: "Mocks/scenarios/ci.yaml").path(percentEncoded: false)
            let run = try await CommandRun.run(Programs.mock, ["--script", script, "--port", "0", "--timeout", "1"])
            #expect(run.code == 5 && run.error.contains("waiting for a scan to begin"), "\(run)")
        }
    }
}
