import Foundation
import Fuzzing
import Glibc
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// The daemon is killed, at any moment.
    @Suite(.enabled(if: Database.isReadable, Database.missingTool))
    struct Restart {
        /// How often it is killed: VESTIBULE_E2E_RESTARTS, else eight times, of the long tests fifty.
        private static let wanted =
            ProcessInfo.processInfo.environment["VESTIBULE_E2E_RESTARTS"].flatMap { Int($0) }
            ?? (TestSize.isLong ? 50 : 8)
        /// The longest time of a kill, the pause before it and the start after it on a busy machine.
        private static let longestRound: Duration = .seconds(8)
        /// VESTIBULE_E2E_SEED repeats the moments of a run, as far as the machine does.
        private static let seed =
            ProcessInfo.processInfo.environment["VESTIBULE_E2E_SEED"].flatMap { UInt64($0) } ?? 20_260_101

        @Test func `killed again and again under load, it loses no login and grants none twice`() async throws {
            let settings = ["limits.off=true", "faceLogin.approvalWindow=600s", "faceLogin.redemptionWindow=600s"]
            let people = ["accept+50ms@example.com"]
            let limit = Self.longestRound * Self.wanted + .seconds(120)
            try await Fixture.run(settings, people: people, alone: true, within: limit) { fixture in
                let ledger = Ledger()
                let load = Load(fixture.app, email: people[0], ledger: ledger)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await load.run(workers: 4) }
                    defer { load.stop() }
                    let count = try await killAgainAndAgain(fixture.daemon)
                    load.stop()
                    try await group.waitForAll()
                    print("restarts: \(count), logins: \(ledger.entries.count), seed: \(Self.seed)")
                    #expect(count == Self.wanted)
                }
                try await fixture.daemon.restart()
                let database = fixture.daemon.database
                try await ledger.finish(with: fixture.app)
                try await ledger.verify { sql in try await database.rows(sql).compactMap(\.first) }
                #expect(try await database.overdue() == 0)
                #expect(try await database.rows("PRAGMA integrity_check") == [["ok"]])
            }
        }

        // T-009
        @Test func `killed between the approval and the tokens, and after them, it hands out one grant`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let login = try await fixture.app.begin("accept@example.com", withVerifier: true)
                let database = fixture.daemon.database
                try await eventually("the approval") { try await database.state(of: login.id) == "approved" }
                try await fixture.daemon.restart()
                let first = try GrantClaims(try await fixture.app.poll(login))
                try await fixture.daemon.restart()
                #expect(try GrantClaims(try await fixture.app.poll(login)) == first)
                #expect(try await fixture.app.acknowledge(login).status == 200)
                try await fixture.daemon.restart()
                let closed = try await fixture.app.poll(login)
                #expect(closed.status == .completed && closed.delivery == "closed" && closed.tokens == nil)
                #expect(try await database.number("SELECT COUNT(*) FROM sessions") == 1)
                #expect(try await database.redeemedTwice() == 0)
            }
        }

        @Test func `a login that a poll has bound is nobody else's after a restart`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                _ = try await fixture.app.poll(login)
                _ = try await fixture.daemon.stop()
                try await fixture.daemon.start()
                try await fixture.mock.decide("ada@example.com", "accept")
                try await eventually("the verdict") {
                    try await fixture.daemon.database.number("SELECT COUNT(*) FROM operations WHERE state = 'approved'")
                        == 1
                }
                var attacker = fixture.app
                attacker.keepsCookies = false
                let stolen = try await attacker.poll(login)
                #expect(stolen.status == .pending && stolen.hint == "created")
                #expect(try await fixture.app.follow(login).status == .completed)
            }
        }

        @Test func `killed during a scan, it redirects the same browser to that scan again, and no other`() async throws
        {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.initiate("ada@example.com")
                func press(_ cookie: String? = nil) throws -> (location: String?, cookie: String?) {
                    let connection = try RawConnection(port: fixture.daemon.port)
                    try connection.send("POST", login.page, cookie.map { ["Cookie": $0] } ?? [:])
                    let head = try connection.readHead()
                    try #require(head.hasPrefix("HTTP/1.1 303"), "\(head)")
                    let set = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie: vst_go=") }
                    let cookie = set.map { String($0.dropFirst("set-cookie: ".count).prefix { $0 != ";" }) }
                    return (Browser.field("Location", of: head), cookie)
                }
                let first = try press()
                let page = try #require(first.location)
                let browser = try #require(first.cookie)
                await fixture.daemon.destroy()
                try await fixture.daemon.start()
                for _ in 0..<2 { #expect(try press(browser).location == page) }
                #expect(try await fixture.mock.calls()["transaction_create"] == 1)
                let other = try #require(try press("vst_go=another-browser").location)
                #expect(other != page)
                #expect(try await fixture.mock.calls()["transaction_create"] == 2)
            }
        }

        @Test func `a verdict that came while the daemon was down is learnt afterwards`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                await fixture.daemon.destroy()
                try await fixture.mock.decide("ada@example.com", "accept")
                try await fixture.daemon.start()
                #expect(try await fixture.app.follow(login).status == .completed)
            }
        }

        /// Returns how often the daemon was killed while it was running, and came up again.
        private func killAgainAndAgain(_ daemon: Daemon) async throws -> Int {
            var random = SeededRandom(seed: Self.seed)
            var count = 0
            for _ in 0..<Self.wanted {
                try await Task.sleep(for: .milliseconds(Int.random(in: 20...350, using: &random)))
                let program = try #require(daemon.program)
                await daemon.destroy()
                let end = try await program.ended(within: Self.longestRound)
                try await daemon.start()
                // One that had gone by itself was not killed.
                if end == .killed(signal: SIGKILL) { count += 1 }
            }
            return count
        }
    }
}
