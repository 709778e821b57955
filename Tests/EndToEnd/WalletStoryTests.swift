import Foundation
import Testing

extension EndToEnd {
    /// The guide's "Run the wallet", as it runs.
    @Suite struct WalletStory {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false)
        private static let tools = ["bash", "curl", "jq", "openssl"]
        private static let isPlayable = tools.allSatisfy { Programs.isInstalled($0) }
        private static let missing: Comment = "one of bash, curl, jq, openssl is not installed (scripts/packages.sh)"

        @Test(.enabled(if: isPlayable, missing))
        func `the wallet's story in curl runs to its end`() async throws {
            let run = try await CommandRun.run(
                "bash",
                [Self.root + "/scripts/wallet-story.sh"],
                environment: ["STORY_BIN": try Programs.folder.get()],
                within: .seconds(300)
            )
            #expect(run.code == 0, "\(run)")
            #expect(run.output.contains("[14/14] All payments\n"), "\(run)")
        }

        @Test(.enabled(if: isPlayable, missing))
        func `attack: wallet-story.sh ends with an error when a program does not start`() async throws {
            try await TestFolder.use { folder in
                let folderWithoutPrograms = folder.path
                let run = try await CommandRun.run(
                    "bash",
                    [Self.root + "/scripts/wallet-story.sh"],
                    environment: ["STORY_BIN": folderWithoutPrograms],
                    within: .seconds(60)
                )
                #expect(run.code == 1 && !run.output.contains("[ 1/14]"), "\(run)")
            }
        }

        /// The guide shows the requests that the script sends.
        @Test func `the wallet guide names the script, and its requests are in the script`() throws {
            let guide = try String(
                contentsOfFile: Self.root + "/docs/guide/devices-and-wallet.md",
                encoding: .utf8
            )
            let script = try String(contentsOfFile: Self.root + "/scripts/wallet-story.sh", encoding: .utf8)
            let start = try #require(guide.range(of: "\n## Run the wallet\n")).upperBound
            let end = guide.range(of: "\n## ", range: start..<guide.endIndex)?.lowerBound ?? guide.endIndex
            let section = guide[start..<end]
            #expect(section.contains("scripts/wallet-story.sh"))
            // Addresses with what is filled in cut off: /enrollment/start/$bank, /payment/$payment/approve.
            let paths = section.matches(of: /(?:\$site|\$mobile)(\/[a-z\/-]+)/).map { String($0.output.1) }
            #expect(paths.count > 10)
            for path in paths { #expect(script.contains(path), "\(path)") }
        }
    }
}
