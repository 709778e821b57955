import Foundation
import Testing

extension EndToEnd {
    /// The commands of README.md and of the guides, as a reader pastes them.
    @Suite struct Docs {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false)
        private static let tools = ["bash", "curl", "jq", "openssl", "python3", "sqlite3"]
        private static let isPlayable = tools.allSatisfy { Programs.isInstalled($0) }
        private static let missing: Comment = """
            one of bash, curl, jq, openssl, python3, sqlite3 is not installed (scripts/packages.sh)
            """

        @Test(.enabled(if: isPlayable, missing))
        func `every command of the README and of the guides runs, or its page says why not`() async throws {
            // One page at a time, with a daemon and a mock of its own.
            try await Admission.shared.enter(places: 1) {
                let run = try await Self.run(pages: [])
                #expect(run.code == 0, "\(run)")
                #expect(run.output.contains(/doc tests: [0-9]{3,} commands in [0-9]{2,} blocks/), "\(run)")
            }
        }

        /// A page, and what is said of it.
        struct Page: Sendable, CustomTestStringConvertible {
            let text: String
            let complaint: String

            var testDescription: String { complaint }
        }

        static let wrongPages = [
            Page(text: "```sh\ncurl -fsS http://localhost:8080/nothing\n```", complaint: "page.md:2: ended with 22"),
            Page(text: "```sh\necho one; false\n```", complaint: "page.md:2: ended with 1"),
            Page(
                text: "```sh\necho one; echo two\n```\n\n```text\ntwo\none\n```",
                complaint: "page.md:5: “one” is not in the output"
            ),
            Page(
                text: "```sh\necho '{\"a\":1,\"b\":\"xyz\"}'\n```\n```json\n{\"b\":\"z…\"}\n```",
                complaint: "page.md:4: “{\"b\":\"z…\"}” is not in the output"
            ),
            Page(text: "```bash\ntrue\n```", complaint: "page.md:1: commands belong into a block of the kind sh"),
            Page(
                text: "<!-- not run: why -->\n```yaml\na: 1\n```",
                complaint: "page.md:2: no sh block is below the reason"
            ),
        ]

        @Test(.enabled(if: isPlayable, missing), arguments: wrongPages)
        func `attack: a documentation page whose commands fail or print something else fails its test`(
            _ page: Page
        ) async throws {
            try await Admission.shared.enter(places: 1) {
                try await TestFolder.use { folder in
                    let run = try await Self.run(pages: [try folder.write("page.md", page.text)])
                    #expect(run.code == 1 && run.error.contains(page.complaint), "\(run)")
                }
            }
        }

        @Test(.enabled(if: isPlayable, missing))
        func `a documentation page whose commands print what it says passes its test`() async throws {
            let text = """
                ```sh
                curl -s http://localhost:8080/readyz
                echo; echo "one $((1 + 1)) three"
                ```
                ```json
                {"status": "…"}
                ```

                <!-- not run: this one is wrong -->
                ```sh
                false
                ```
                """
            try await Admission.shared.enter(places: 1) {
                try await TestFolder.use { folder in
                    let run = try await Self.run(pages: [try folder.write("page.md", text)])
                    #expect(run.code == 0 && run.output.contains("page.md:10: this one is wrong"), "\(run)")
                    #expect(run.output.contains("3 commands in 1 blocks of 1 pages ran; 1 blocks did not"), "\(run)")
                }
            }
        }

        private static func run(pages: [String]) async throws -> CommandRun {
            try await CommandRun.run(
                "bash",
                [root + "/scripts/doc-tests.sh"] + pages,
                environment: ["STORY_BIN": try Programs.folder.get()],
                within: .seconds(300)
            )
        }
    }
}
