import Foundation
import Testing
import Wire

extension EndToEnd {
    /// No login outlives its deadline, not even over a restart.
    ///
    /// Stored deadlines are moved nearer while the daemon is down. The config takes no lifetime too short for clients
    /// in the field.
    @Suite(.enabled(if: Database.isReadable, Database.missingTool))
    struct Deadline {
        /// By the daemon's own account, in milliseconds: what a busy machine takes to ask for it is not the daemon's.
        private static let bound = 5000

        @Test func `every operation is over five seconds after its deadline`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let app = fixture.app
                let created = try await app.initiate("ada@example.com")
                let pending = try await app.begin("ada@example.com")
                try await fixture.mock.breakDown("create", "http_500")
                let opened = try await app.initiate("ada@example.com")
                #expect(try await app.open(opened) == 503)
                try await fixture.mock.mend()

                let ends = try await end(of: [created, opened, pending], fixture)
                // The opened one asked for a scan that the provider never began: no delay of the person's.
                #expect(ends.map(\.code) == ["expired", "provider_unavailable", "expired"])
            }
        }

        @Test func `a provider that stays away to the end is distinguished from a person who did not come`()
            async throws
        {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let untouched = try await fixture.app.initiate("ada@example.com")
                let pending = try await fixture.app.begin("ada@example.com")
                await fixture.mock.destroy()
                let ends = try await end(of: [untouched, pending], fixture)
                #expect(ends.map(\.code) == ["expired", "provider_unavailable"])
            }
        }

        // T-010
        @Test func `a provider that accepts after the deadline grants nothing`() async throws {
            try await Fixture.run(people: ["late_accept@example.com"]) { fixture in
                let login = try await fixture.app.initiate("late_accept@example.com")
                await fixture.daemon.destroy()
                try await fixture.daemon.database.moveDeadlines(to: 12, where: "1")
                try await fixture.daemon.start()
                // The provider is given the time that is left, and says "accepted" from then on.
                #expect(try await fixture.app.open(login) == 303)
                let answer = try await fixture.app.follow(login)
                #expect(answer.status == .failed && answer.code == "expired", "\(answer)")
                try await expectInTime(fixture)
                try await Task.sleep(for: .seconds(1))
                #expect(try await fixture.app.poll(login) == answer)
                #expect(try await fixture.daemon.database.number("SELECT COUNT(*) FROM sessions") == 0)
            }
        }

        @Test func `an approval that nobody collects lapses`() async throws {
            try await Fixture.run(["faceLogin.approvalWindow=10s"], people: ["accept@example.com"]) { fixture in
                let login = try await fixture.app.begin("accept@example.com")
                let database = fixture.daemon.database
                try await eventually("the approval") { try await database.state(of: login.id) == "approved" }
                try await eventually("the lapse", every: .milliseconds(250)) {
                    try await database.state(of: login.id) == "failed"
                }
                let answer = try await fixture.app.poll(login)
                #expect(answer.status == .failed && answer.code == "expired")
            }
        }

        /// Restarts with all deadlines eight seconds away, and waits for the ends.
        ///
        /// In that time a busy machine has the daemon up and a check made.
        private func end(of logins: [App.Login], _ fixture: Fixture) async throws -> [PollLoginResponse] {
            await fixture.daemon.destroy()
            try await fixture.daemon.database.moveDeadlines(to: 8, where: "1")
            try await fixture.daemon.start()
            var ends: [PollLoginResponse] = []
            for login in logins {
                ends.append(try await fixture.app.follow(login))
                #expect(ends.last?.status == .failed)
            }
            try await expectInTime(fixture)
            return ends
        }

        /// Nothing ended later than its deadline allows, and nothing continues.
        private func expectInTime(_ fixture: Fixture) async throws {
            let database = fixture.daemon.database
            let latest = try await database.number("SELECT MAX(ended_at - deadline) FROM operations")
            #expect(latest <= Self.bound, "ended \(latest) ms after its deadline")
            #expect(try await database.overdue() == 0)
        }
    }
}
