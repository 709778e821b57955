import Foundation
import Fuzzing
import Glibc
import Outbound
import PostgresServer
import Testing
import Wire

extension EndToEnd {
    /// Three daemons on one PostgreSQL database, and clients that ask any of them.
    ///
    /// One test after the other, because each has a server and daemons of its own.
    @Suite(.serialized) struct Clusters {
        private static let person = "accept+50ms@example.com"
        private static let slow = "ada@example.com"
        private static let connections = 8
        private static let approvals = TestSize.isLong ? 1000 : 40
        private static let kills = TestSize.isLong ? 200 : 6

        // T-009, T-097
        @Test(arguments: TestSize.isLong ? ["listen", "poll"] : ["listen"])
        func `any daemon takes any step, grants once, and refuses what another one has ended`(
            _ notices: String
        ) async throws {
            // One cluster for all of it: each start costs seconds.
            let settings = ["storage.postgres.notices=\(notices)"]
            try await Cluster.run(settings, people: [Self.person, Self.slow], places: 2) { cluster in
                try await Self.takeSteps(cluster)
                try await Self.collectAtOnce(cluster)
                try await Self.revoke(cluster)
                try await Self.disable(cluster)
            }
        }

        /// Each step of a login reaches another daemon, and a parked poll is told at once.
        private static func takeSteps(_ cluster: Cluster) async throws {
            for withVerifier in [true, false] {
                let login = try await cluster.app(0).initiate(Self.slow, withVerifier: withVerifier)
                #expect(try await cluster.app(1).poll(login).hint == "created")
                #expect(try await cluster.app(2).open(login) == 303)
                async let parked = cluster.app(1).park(login)
                try await Task.sleep(for: .milliseconds(300))
                try await cluster.mock.decide(Self.slow, "accept")
                let told = try await parked
                #expect(told.status == .completed && told.tokens != nil, "\(told)")
                let again = try await cluster.app(0).poll(login)
                #expect(try GrantClaims(again) == GrantClaims(told), "one grant, whoever hands it out")
                #expect(try await cluster.app(2).acknowledge(login).status == 200)
                let closed = try await cluster.app(0).poll(login)
                #expect(closed.status == .completed && closed.tokens == nil)
            }
            let canceled = try await cluster.app(2).begin(Self.slow, withVerifier: true)
            #expect(try await cluster.app(0).cancel(canceled).status == 200)
            #expect(try await cluster.app(1).park(canceled).status == .failed)
            // The message may come a moment later.
            #expect(try await cluster.app(2).park(canceled).status == .failed)
        }

        /// Approved logins, each polled eight times at once on three daemons, open one session each.
        private static func collectAtOnce(_ cluster: Cluster) async throws {
            let before = try await cluster.column("SELECT id FROM sessions").count
            let app = cluster.app
            var logins: [App.Login] = []
            for number in 0..<Self.approvals {
                logins.append(try await app.begin(Self.person, withVerifier: number.isMultiple(of: 2)))
            }
            try await eventually("all are approved", within: .seconds(120), every: .milliseconds(200)) {
                try await cluster.column("SELECT id FROM operations WHERE state = 'approved'").count
                    == Self.approvals
            }
            var grants: [String: [PollLoginResponse]] = [:]
            // Some hundred connections at once, whatever the size of the test.
            for first in stride(from: 0, to: logins.count, by: 40) {
                let batch = logins[first..<min(first + 40, logins.count)]
                let answers = try await withThrowingTaskGroup(of: (String, PollLoginResponse).self) { group in
                    for login in batch {
                        for _ in 0..<connections { group.addTask { (login.id, try await app.poll(login)) } }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                for (id, answer) in answers { grants[id, default: []].append(answer) }
            }
            var sessions: Set<String> = []
            for login in logins {
                let claims = try (grants[login.id] ?? []).map { try GrantClaims($0) }
                #expect(claims.count == Self.connections && Set(claims).count == 1, "\(login.id)")
                sessions.formUnion(claims.map(\.session))
            }
            #expect(sessions.count == Self.approvals)
            #expect(try await cluster.column("SELECT id FROM sessions").count == before + Self.approvals)
        }

        /// What one daemon revokes, the others refuse, at once where the feed is live.
        private static func revoke(_ cluster: Cluster) async throws {
            let login = try await cluster.app(0).begin(Self.person, withVerifier: true)
            let tokens = try #require(try await cluster.app(1).follow(login).tokens)
            for index in 0..<3 { #expect(try await me(tokens.accessToken, cluster, index) == 200) }
            try await cluster.daemons[0].order(["sessions", "revoke", try Claims(tokens.accessToken).sid])
            let clock = ContinuousClock()
            let revoked = clock.now
            for index in 0..<3 {
                try await eventually("a refusal", within: .seconds(20), every: .milliseconds(10)) {
                    try await me(tokens.accessToken, cluster, index) == 401
                }
            }
            print("a revocation was refused everywhere after \(clock.now - revoked)")
            // A busy machine lets daemons wait.
            #expect(clock.now - revoked < (TestSize.isLong ? .seconds(3) : .seconds(10)))
            for index in 0..<3 {
                let refresh = try await cluster.web.send(
                    .post,
                    "\(cluster.daemons[index].url)/auth/refresh",
                    ["Authorization": "Bearer \(tokens.refreshToken)"]
                )
                #expect(refresh.status == 401)
            }
        }

        /// An account that one daemon disables loses its live logins and its sessions on the others.
        private static func disable(_ cluster: Cluster) async throws {
            let login = try await cluster.app(1).begin(Self.slow, withVerifier: true)
            let account = "(SELECT account FROM operations ORDER BY created_at DESC LIMIT 1)"
            try await cluster.daemons[0].order(["accounts", "disable", Self.slow])
            try await cluster.mock.decide(Self.slow, "accept")
            for index in [1, 2, 0] { #expect(try await cluster.app(index).follow(login).status == .failed) }
            let open = "SELECT id FROM sessions WHERE revoked_at IS NULL AND account = \(account)"
            #expect(try await cluster.column(open).isEmpty)
        }

        @Test func `daemons and connections are killed at random under load, and no login is lost or granted twice`()
            async throws
        {
            try await Cluster.run(people: [Self.person], within: .seconds(120 + 12 * Self.kills)) { cluster in
                let ledger = Ledger(allowsUnavailable: true)
                let load = Load(cluster.app, email: Self.person, ledger: ledger)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await load.run(workers: 4) }
                    defer { load.stop() }
                    for _ in 0..<Self.kills {
                        try await Task.sleep(for: .milliseconds(Int.random(in: 100...1500)))
                        try await Self.kill(in: cluster)
                    }
                    load.stop()
                    try await group.waitForAll()
                }
                try await cluster.ready()
                try await ledger.finish(with: cluster.app)
                try await ledger.verify { try await cluster.column($0) }
                print("kills: \(Self.kills), logins: \(ledger.entries.count)")
                try await cluster.daemons[0].order(["audit", "verify"])
                for daemon in cluster.daemons { #expect(try await daemon.stop() == .exited(0)) }
            }
        }

        @Test func `a login whose daemon is killed or stands still is followed by another one within seconds`()
            async throws
        {
            // The short tests have no other cluster whose daemons tell each other by a table.
            let settings = ["storage.postgres.notices=poll"]
            try await Cluster.run(settings, people: [Self.slow], places: 2) { cluster in
                for signal in [SIGKILL, SIGSTOP] {
                    // The last writer follows it: the daemon on which it was opened.
                    let login = try await cluster.app(1).initiate(Self.slow, withVerifier: true)
                    #expect(try await cluster.app(2).open(login) == 303)
                    let program = try #require(cluster.daemons[2].program)
                    program.send(signal: signal)
                    try await cluster.mock.decide(Self.slow, "accept")
                    let told = try await cluster.app(1).follow(login, within: .seconds(30))
                    #expect(told.status == .completed && told.tokens != nil, "\(told)")
                    if signal == SIGSTOP {
                        program.send(signal: SIGCONT)
                        try await cluster.ready()
                        let again = try await cluster.app(2).follow(login, within: .seconds(30))
                        #expect(try GrantClaims(again) == GrantClaims(told), "what slept has learnt of it")
                    } else {
                        _ = try await program.ended(within: .seconds(10))
                        try await cluster.daemons[2].start()
                    }
                }
            }
        }

        private static func me(_ token: String, _ cluster: Cluster, _ index: Int) async throws -> Int {
            let url = "\(cluster.daemons[index].url)/auth/me"
            return try await cluster.web.send(.get, url, ["Authorization": "Bearer \(token)"]).status
        }

        /// Kills a daemon, which is started again, or the process of one of its connections.
        private static func kill(in cluster: Cluster) async throws {
            if Bool.random(),
                let process = try? await cluster.server.backends(of: cluster.database.name).randomElement()
            {
                // Its end may come first.
                try? await cluster.server.signal("KILL", process: process)
                return
            }
            guard let daemon = cluster.daemons.randomElement() else { return }
            await daemon.destroy()
            _ = try await daemon.program?.ended(within: .seconds(10))
            try await eventually("a daemon that starts again") {
                do { try await daemon.start() } catch { return false }
                return true
            }
        }
    }
}
