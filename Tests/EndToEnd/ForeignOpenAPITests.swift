import Foundation
import Testing

extension EndToEnd {
    /// A client that somebody else's generator makes of the document that the daemon serves, against that daemon.
    ///
    /// `scripts/openapi/login.py` does it: it fetches the document, has it validated, generates the client, and signs in.
    struct ForeignOpenAPI {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false)
        private static let python = root + "/.build/foreign-openapi/bin/python"
        private static let script = root + "/scripts/openapi/login.py"
        /// Whether `scripts/foreign-openapi.sh` came to its end with these versions.
        private static let isInstalled = FileManager.default.contentsEqual(
            atPath: root + "/scripts/foreign-openapi.txt",
            andPath: root + "/.build/foreign-openapi/installed.txt"
        )
        /// Where all has to be shown, as in CI, nothing is skipped for want of a library.
        private static let isRequired = ProcessInfo.processInfo.environment["VESTIBULE_FOREIGN_REQUIRED"] == "1"
        private static let missing: Comment = """
            .build/foreign-openapi is missing, so that no generated client signs in; scripts/foreign-openapi.sh makes it, or \
            says what to install
            """

        private struct RunRequest: Encodable {
            let site: String
            let email: String
            let folder: String
        }

        @Test(.enabled(if: isInstalled || isRequired, missing), .timeLimit(.minutes(10)))
        func `a client that is generated from the served document signs a person in, and reads every refusal`()
            async throws
        {
            try #require(Self.isInstalled, Self.missing)
            let person = "accept@example.com"
            try await Fixture.run(["oauth.enabled=true"], people: [person], within: .seconds(300)) { fixture in
                let order = RunRequest(site: fixture.daemon.url, email: person, folder: fixture.folder["generated"])
                let run = try await CommandRun.run(
                    "env",
                    [Self.python, Self.script],
                    input: String(decoding: try JSONEncoder().encode(order), as: UTF8.self),
                    environment: ["PYTHONDONTWRITEBYTECODE": "1"],
                    within: .seconds(240)
                )
                #expect(run.code == 0, "\(run)")
                for step in ["valid", "generated without warnings", "signed in", "refreshed", "refused", "done"] {
                    #expect(run.output.contains(step), "\(step): \(run)")
                }
            }
        }
    }
}
