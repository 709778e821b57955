import Foundation
import Testing

extension EndToEnd {
    /// The published clients against the laptop's config, in curl, as they send it.
    @Suite struct PublishedClients {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false)
        private static let script = root + "/scripts/published-clients.sh"
        private static let tools = ["bash", "curl", "jq", "openssl"]
        private static let isPlayable = tools.allSatisfy { Programs.isInstalled($0) }
        private static let missing: Comment = "one of bash, curl, jq, openssl is not installed (scripts/packages.sh)"

        @Test(.enabled(if: isPlayable, missing))
        func `the published clients' stories in curl come to their end`() async throws {
            let run = try await CommandRun.run(
                "bash",
                [Self.script],
                environment: ["STORY_BIN": try Programs.folder.get()],
                within: .seconds(300)
            )
            #expect(run.code == 0, "\(run)")
            #expect(run.output.contains("[23/23] It asks who it is"), "\(run)")
        }

        @Test(.enabled(if: isPlayable, missing))
        func `attack: published-clients.sh ends with an error when a program does not start`() async throws {
            try await TestFolder.use { folder in
                let run = try await CommandRun.run(
                    "bash",
                    [Self.script],
                    environment: ["STORY_BIN": folder.path],
                    within: .seconds(60)
                )
                #expect(run.code == 1 && !run.output.contains("[ 1/23]"), "\(run)")
            }
        }
    }
}
