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
            try await Stage.run(people: ["ada@example.com"]) { stage in
                let app = stage.app
                let created = try await app.initiate("ada@example.com")
                let pending = try await app.begin("ada@example.com")
                try await stage.mock.breakDown("create", "http_500")
                let opened = try await app.initiate("ada@example.com")
                #expect(try await app.open(opened) == 503)
                try await stage.mock.mend()

                let ends = try await end(of: [created, opened, pending], stage)
                // The opened one asked for a scan that the provider never began: no delay of the person's.
                #expect(ends.map(\.code) == ["expired", "provider_unavailable", "expired"])
            }
        }

        @Test func `a provider that stays away to the end is distinguished from a person who did not come`()
            async throws
        {
            try await Stage.run(people: ["ada@example.com"]) { stage in
                let untouched = try await stage.app.initiate("ada@example.com")
                let pending = try await stage.app.begin("ada@example.com")
                await stage.mock.destroy()
                let ends = try await end(of: [untouched, pending], stage)
                #expect(ends.map(\.code) == ["expired", "provider_unavailable"])
            }
        }

        @Test func `a provider that accepts after the deadline grants nothing`() async throws {
            try await Stage.run(people: ["late_accept@example.com"]) { stage in
                let login = try await stage.app.initiate("late_accept@example.com")
                await stage.daemon.destroy()
                try await stage.daemon.database.bringDeadlines(to: 12, where: "1")
                try await stage.daemon.start()
                // The provider is given the time that is left, and says "accepted" from then on.
                #expect(try await stage.app.open(login) == 303)
                let answer = try await stage.app.follow(login)
                #expect(answer.status == .failed && answer.code == "expired", "\(answer)")
                try await expectInTime(stage)
                try await Task.sleep(for: .seconds(1))
                #expect(try await stage.app.poll(login) == answer)
                #expect(try await stage.daemon.database.number("SELECT COUNT(*) FROM sessions") == 0)
            }
        }

        @Test func `an approval that nobody collects lapses`() async throws {
            try await Stage.run(["faceLogin.approvalWindow=10s"], people: ["accept@example.com"]) { stage in
                let login = try await stage.app.begin("accept@example.com")
                let database = stage.daemon.database
                try await eventually("the approval") { try await database.state(of: login.id) == "approved" }
                try await eventually("the lapse", every: .milliseconds(250)) {
                    try await database.state(of: login.id) == "failed"
                }
                let answer = try await stage.app.poll(login)
                #expect(answer.status == .failed && answer.code == "expired")
            }
        }

        /// Restarts with all deadlines eight seconds away, and waits for the ends.
        ///
        /// In that time a busy machine has the daemon up and a check made.
        private func end(of logins: [App.Login], _ stage: Stage) async throws -> [PollLoginResponse] {
            await stage.daemon.destroy()
            try await stage.daemon.database.bringDeadlines(to: 8, where: "1")
            try await stage.daemon.start()
            var ends: [PollLoginResponse] = []
            for login in logins {
                ends.append(try await stage.app.follow(login))
                #expect(ends.last?.status == .failed)
            }
            try await expectInTime(stage)
            return ends
        }

        /// Nothing ended later than its deadline allows, and nothing continues.
        private func expectInTime(_ stage: Stage) async throws {
            let database = stage.daemon.database
            let latest = try await database.number("SELECT MAX(ended_at - deadline) FROM operations")
            #expect(latest <= Self.bound, "ended \(latest) ms after its deadline")
            #expect(try await database.overdue() == 0)
        }
    }
}
