import Foundation
import Testing
import Wire

extension EndToEnd {
    /// Two providers as they are shipped, the first of them down, and an account that the operator enrolled with both.
    @Suite struct Failover {
        private static let person = "ada@example.com"

        private static func run(_ play: @escaping @Sendable (Stage, Mock) async throws -> Void) async throws {
            try await TestFolder.use { folder in
                try await WebClient.use { web in
                    let standby = Mock(web)
                    try await standby.start()
                    let file = folder["standby.yaml"]
                    let text = """
                        kind: authid
                        baseURL: \(standby.url)
                        keyID: mock-key-id
                        keyValue: mock-key-value
                        """
                    try text.write(toFile: file, atomically: true, encoding: .utf8)
                    let settings = [
                        "providers.standby=\(file)", "faceLogin.failover=standby",
                        "providers.mock.requestTimeout=1500ms",
                        "providers.mock.connectTimeout=1s",
                    ]
                    do {
                        try await Stage.run(settings, people: [person]) { stage in try await play(stage, standby) }
                    } catch {
                        await standby.destroy()
                        throw error
                    }
                    await standby.destroy()
                }
            }
        }

        private static func enroll(_ stage: Stage, _ options: [String] = []) async throws -> String {
            try await stage.daemon.order(["accounts", "enroll", person, "--provider", "standby"] + options).output
        }

        /// The account's name there.
        private static func name(at provider: String, _ stage: Stage) async throws -> String {
            struct Shown: Decodable { let enrolments: [String] }
            let shown = try await stage.daemon.order(["accounts", "show", person, "--json"]).json(Shown.self)
            let enrolment = try #require(shown.enrolments.first { $0.hasPrefix(provider + ":") })
            return String(enrolment.dropFirst(provider.count + 1))
        }

        @Test func `while the provider is gone an account that is enrolled with another signs in there`() async throws {
            try await Self.run { stage, standby in
                #expect(try await Self.enroll(stage).contains("with standby"))
                await stage.mock.destroy()
                let login = try await stage.app.initiate(Self.person)
                try await eventually("a scan at the standby", within: .seconds(90)) {
                    try await stage.app.open(login) == 303
                }
                try await standby.decide(Self.person, "accept")
                let answer = try await stage.app.follow(login, within: .seconds(90))
                #expect(answer.status == .completed && answer.accessToken != nil, "\(answer)")

                // A refusal there is a refusal.
                let second = try await stage.app.initiate(Self.person)
                try await eventually("a second scan at the standby", within: .seconds(90)) {
                    try await stage.app.open(second) == 303
                }
                try await standby.decide(Self.person, "reject_match")
                #expect(try await stage.app.follow(second, within: .seconds(90)).code == "not_matched")

                // Once it is back, scans begin there again.
                let before = try await standby.calls()["transaction_create"]
                try await stage.mock.start()
                try await stage.mock.enroll(try await Self.name(at: "mock", stage), email: Self.person)
                let third = try await stage.app.initiate(Self.person)
                try await eventually("a scan at the first provider", within: .seconds(90)) {
                    _ = try await stage.app.open(third)
                    return (try? await stage.mock.newestScan(of: Self.person)) != nil
                }
                #expect(try await standby.calls()["transaction_create"] == before)
            }
        }

        @Test func `while only its tokens can't be had the other scans too`() async throws {
            try await Self.run { stage, standby in
                _ = try await Self.enroll(stage)
                // A daemon that has no token yet.
                try await stage.mock.breakDown("token", "http_500")
                #expect(try await stage.daemon.stop() == .exited(0))
                try await stage.daemon.start()
                let login = try await stage.app.initiate(Self.person)
                try await eventually("a scan at the standby", within: .seconds(90)) {
                    try await stage.app.open(login) == 303
                }
                try await standby.decide(Self.person, "accept")
                #expect(try await stage.app.follow(login, within: .seconds(90)).status == .completed)
            }
        }

        @Test func `an account without an enrolment there waits, and nobody is enrolled twice`() async throws {
            try await Self.run { stage, standby in
                await stage.mock.destroy()
                let login = try await stage.app.initiate(Self.person)
                #expect(try await stage.app.open(login) == 503)
                #expect(try await stage.app.poll(login).status == .pending)
                #expect(try await standby.calls()["transaction_create"] ?? 0 == 0)
                _ = try await Self.enroll(stage)
                let again = try await stage.daemon.command("accounts", "enroll", Self.person, "--provider", "standby")
                #expect(again.code == 1 && again.complaint.contains("enrolled with standby already"), "\(again)")
                let nobody = try await stage.daemon.command("accounts", "enroll", Self.person, "--provider", "nobody")
                #expect(nobody.code == 1 && nobody.complaint.contains("There is no provider nobody"), "\(nobody)")
                // The login that waited continues where the account is enrolled now.
                try await eventually("a scan at the standby", within: .seconds(90)) {
                    try await stage.app.open(login) == 303
                }
            }
        }
    }
}
