import Foundation
import Testing
import Wire

extension EndToEnd {
    /// Two providers as they are shipped, the first of them down, and an account that the operator enrolled with both.
    @Suite struct Failover {
        private static let person = "ada@example.com"

        private static func run(_ play: @escaping @Sendable (Fixture, Mock) async throws -> Void) async throws {
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
                        try await Fixture.run(settings, people: [person]) { fixture in try await play(fixture, standby)
                        }
                    } catch {
                        await standby.destroy()
                        throw error
                    }
                    await standby.destroy()
                }
            }
        }

        private static func enroll(_ fixture: Fixture, _ options: [String] = []) async throws -> String {
            try await fixture.daemon.order(["accounts", "enroll", person, "--provider", "standby"] + options).output
        }

        /// The account's name there.
        private static func name(at provider: String, _ fixture: Fixture) async throws -> String {
            struct Shown: Decodable { let enrolments: [String] }
            let shown = try await fixture.daemon.order(["accounts", "show", person, "--json"]).json(Shown.self)
            let enrolment = try #require(shown.enrolments.first { $0.hasPrefix(provider + ":") })
            return String(enrolment.dropFirst(provider.count + 1))
        }

        @Test func `while the provider is gone an account that is enrolled with another signs in there`() async throws {
            try await Self.run { fixture, standby in
                #expect(try await Self.enroll(fixture).contains("with standby"))
                await fixture.mock.destroy()
                let login = try await fixture.app.initiate(Self.person)
                try await eventually("a scan at the standby", within: .seconds(90)) {
                    try await fixture.app.open(login) == 303
                }
                try await standby.decide(Self.person, "accept")
                let answer = try await fixture.app.follow(login, within: .seconds(90))
                #expect(answer.status == .completed && answer.accessToken != nil, "\(answer)")

                // A refusal there is a refusal.
                let second = try await fixture.app.initiate(Self.person)
                try await eventually("a second scan at the standby", within: .seconds(90)) {
                    try await fixture.app.open(second) == 303
                }
                try await standby.decide(Self.person, "reject_match")
                #expect(try await fixture.app.follow(second, within: .seconds(90)).code == "not_matched")

                // Once it is back, scans begin there again.
                let before = try await standby.calls()["transaction_create"]
                try await fixture.mock.start()
                try await fixture.mock.enroll(try await Self.name(at: "mock", fixture), email: Self.person)
                let third = try await fixture.app.initiate(Self.person)
                try await eventually("a scan at the first provider", within: .seconds(90)) {
                    _ = try await fixture.app.open(third)
                    return (try? await fixture.mock.newestScan(of: Self.person)) != nil
                }
                #expect(try await standby.calls()["transaction_create"] == before)
            }
        }

        @Test func `while only its tokens can't be had the other scans too`() async throws {
            try await Self.run { fixture, standby in
                _ = try await Self.enroll(fixture)
                // A daemon that has no token yet.
                try await fixture.mock.breakDown("token", "http_500")
                #expect(try await fixture.daemon.stop() == .exited(0))
                try await fixture.daemon.start()
                let login = try await fixture.app.initiate(Self.person)
                try await eventually("a scan at the standby", within: .seconds(90)) {
                    try await fixture.app.open(login) == 303
                }
                try await standby.decide(Self.person, "accept")
                #expect(try await fixture.app.follow(login, within: .seconds(90)).status == .completed)
            }
        }

        @Test func `a login whose account lacks an enrolment at the standby waits until it has one`() async throws {
            try await Self.run { fixture, standby in
                await fixture.mock.destroy()
                let login = try await fixture.app.initiate(Self.person)
                #expect(try await fixture.app.open(login) == 503)
                #expect(try await fixture.app.poll(login).status == .pending)
                #expect(try await standby.calls()["transaction_create"] ?? 0 == 0)
                _ = try await Self.enroll(fixture)
                let again = try await fixture.daemon.command("accounts", "enroll", Self.person, "--provider", "standby")
                #expect(again.code == 1 && again.complaint.contains("already enrolled with standby"), "\(again)")
                let nobody = try await fixture.daemon.command("accounts", "enroll", Self.person, "--provider", "nobody")
                #expect(nobody.code == 1 && nobody.complaint.contains("The provider nobody is unknown"), "\(nobody)")
                // The login that waited continues where the account is enrolled now.
                try await eventually("a scan at the standby", within: .seconds(90)) {
                    try await fixture.app.open(login) == 303
                }
            }
        }
    }
}
