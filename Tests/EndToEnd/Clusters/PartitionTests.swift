import Foundation
import Fuzzing
import Outbound
import PostgresServer
import Testing
import Wire

extension EndToEnd.Clusters {
    /// Three daemons, each on a host of its own, and the network between.
    @Suite(.enabled(if: TestSize.isLong, "the long tests pull cables"), .needsHosts)
    struct Partitions {
        private static let people = (0..<6).map { "person\($0)@example.com" }
        private static let quick = "accept+50ms@example.com"
        /// The daemon whose cables are pulled.
        private static let lonely = 2
        /// How long they are pulled at least.
        private static let outage: Duration = .seconds(10)
        /// For so long daemons renew their leases before they take over from others.
        private static let settling: Duration = .seconds(9)

        @Test func `a daemon that is cut off from the database grants nothing, and the others finish its logins`()
            async throws
        {
            try await Self.run { cluster, network in
                let logins = try await Self.begin(cluster)
                let owner = try await Self.owner(cluster)
                async let parked = cluster.app(Self.lonely).ask(logins[0], wait: 20)
                try await cluster.app(Self.lonely).waitFor(hint: "user_in_provider", logins[0])
                try await network.cut(.database, of: Self.lonely)
                let cut = ContinuousClock.now
                async let polls = Self.answers(until: cut + Self.outage) { number in
                    try await cluster.app(Self.lonely).ask(logins[number % logins.count])
                }
                async let starts = Self.answers(until: cut + Self.outage) { _ in
                    try await Self.start(at: Self.lonely, cluster)
                }
                // It still sees the provider, and can't write what it learns there.
                for person in Self.people { try await cluster.mock.decide(person, "accept") }
                let grants = try await Self.collect(logins, at: [0, 1], cluster)
                print("other daemons told all verdicts \(ContinuousClock.now - cut) after the cut")
                let adopter = try await cluster.column("SELECT adopted_by FROM nodes WHERE name = '\(owner)'")
                #expect(adopter.count == 1, "another daemon has taken over: \(adopter)")
                try await Self.waitForReadiness(503, cluster)
                let (answers, refusals) = try await (polls, starts)
                #expect(answers.allSatisfy { $0.status == 503 || Self.isPending($0) }, "\(answers)")
                #expect(!refusals.isEmpty && refusals.allSatisfy { $0.status == 503 }, "\(refusals)")

                try await network.mend(.database, of: Self.lonely)
                try await Self.expectService(again: logins, grants, cluster)
                // It may have waited for longer than the cut.
                let last = try await parked
                #expect(last.status == 503 || Self.isPending(last) || (try? Self.grant(last)) == grants[0], "\(last)")
            }
        }

        @Test func `a daemon that only clients can't reach keeps its logins, which clients finish at the others`()
            async throws
        {
            try await Self.run { cluster, network in
                let logins = try await Self.begin(cluster)
                let nodes = try await Self.nodes(cluster)
                async let parked = Self.hearsNothing(of: logins[0], within: .seconds(5), cluster)
                try await cluster.app(Self.lonely).waitFor(hint: "user_in_provider", logins[0])
                try await network.cut(.clients, of: Self.lonely)
                let cut = ContinuousClock.now
                for person in Self.people { try await cluster.mock.decide(person, "accept") }
                let grants = try await Self.collect(logins, at: [0, 1], cluster)
                print("other daemons told all verdicts \(ContinuousClock.now - cut) after the cut")
                #expect(try await parked)
                #expect(try await Self.hearsNothing(of: logins[1], within: .seconds(2), cluster))
                var others = 0
                while ContinuousClock.now < cut + Self.outage {
                    let login = try await cluster.app(others % 2).begin(Self.quick, withVerifier: true)
                    #expect(try await cluster.app(1 - others % 2).follow(login).tokens != nil)
                    others += 1
                    #expect(try await Self.nodes(cluster) == nodes, "nobody takes over from a daemon that follows")
                    try await Task.sleep(for: .milliseconds(500))
                }
                try await network.mend(.clients, of: Self.lonely)
                try await Self.expectService(again: logins, grants, others: others, cluster)
                #expect(try await Self.nodes(cluster) == nodes)
            }
        }

        @Test func `a commit whose answer the network loses is found by the client's next try, as one session`()
            async throws
        {
            // Long enough to notice a commit before its answer is due.
            try await Self.run(["storage.postgres.deadline=5s"]) { cluster, network in
                let logins = try await Self.begin(cluster)
                try await Self.delayGrants(of: network.address(.database, of: Self.lonely), cluster)
                for person in Self.people.prefix(3) { try await cluster.mock.decide(person, "accept") }
                try await eventually("the approvals") {
                    try await cluster.column("SELECT id FROM operations WHERE state = 'approved'").count == 3
                }
                async let lost = cluster.app(Self.lonely).ask(logins[0])
                try await eventually("a commit", every: .milliseconds(10)) {
                    try await !cluster.column("SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'").isEmpty
                }
                try await network.cut(.database, of: Self.lonely, .towardsHost)
                let cut = ContinuousClock.now
                async let polls = Self.answers(until: cut + Self.outage) { number in
                    try await cluster.app(Self.lonely).ask(logins[1 + number % 5])
                }
                for person in Self.people.dropFirst(3) { try await cluster.mock.decide(person, "accept") }
                let stored = try await eventually("the session of the commit") {
                    try await cluster.column("SELECT id FROM sessions").first
                }
                #expect(try await lost.status == 503, "the daemon can't know of it")
                let grants = try await Self.collect(logins, at: [0, 1], cluster)
                print("other daemons told all verdicts \(ContinuousClock.now - cut) after the cut")
                // The half of an id that is the same outside and in the database.
                #expect(grants[0].session.suffix(17) == stored.suffix(17))
                try await Self.waitForReadiness(503, cluster)
                let answers = try await polls
                #expect(answers.allSatisfy { $0.status == 503 || Self.isPending($0) }, "\(answers)")

                try await network.mend(.database, of: Self.lonely, .towardsHost)
                try await Self.expectService(again: logins, grants, cluster)
            }
        }
    }
}

// MARK: - Steps

extension EndToEnd.Clusters.Partitions {
    private static func run(
        _ settings: [String] = [],
        _ play: @escaping @Sendable (Cluster, HostNetwork) async throws -> Void
    ) async throws {
        try await HostNetwork.use { network in
            try await Cluster.run(settings, people: people + [quick], places: 2, on: network) { cluster in
                try await cluster.ready()
                try await Task.sleep(for: settling)
                try await play(cluster, network)
            }
        }
    }

    /// Starts a login of each person anywhere, all of which one daemon follows: the one on which they are opened.
    private static func begin(_ cluster: Cluster) async throws -> [App.Login] {
        var logins: [App.Login] = []
        for (number, person) in people.enumerated() {
            let login = try await cluster.app(number % 3).initiate(person, withVerifier: true)
            #expect(try await cluster.app(lonely).open(login) == 303)
            logins.append(login)
        }
        return logins
    }

    /// The name of the daemon that follows all live logins.
    private static func owner(_ cluster: Cluster) async throws -> String {
        let names = try await cluster.column("SELECT DISTINCT node FROM operations WHERE ended_at IS NULL")
        #expect(names.count == 1, "\(names)")
        return try #require(names.first)
    }

    /// Every daemon's name and process, and who has taken over from it.
    private static func nodes(_ cluster: Cluster) async throws -> [[String?]] {
        try await cluster.database.run("SELECT name, life, adopted_by FROM nodes ORDER BY name")
    }

    /// Has commits of grants that come from an address take three seconds.
    private static func delayGrants(of address: String, _ cluster: Cluster) async throws {
        try await cluster.database.run(
            """
            CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF host(inet_client_addr()) = '\(address)' THEN PERFORM pg_sleep(3); END IF;
                RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION linger()
            """
        )
    }

    /// Asks again and again, and returns all answers.
    private static func answers(
        until end: ContinuousClock.Instant,
        _ ask: @Sendable (Int) async throws -> WebClient.Reply
    ) async throws -> [WebClient.Reply] {
        var answers: [WebClient.Reply] = []
        while ContinuousClock.now < end {
            answers.append(try await ask(answers.count))
            try await Task.sleep(for: .milliseconds(200))
        }
        return answers
    }

    private static func start(at index: Int, _ cluster: Cluster) async throws -> WebClient.Reply {
        let url = "\(cluster.daemons[index].url)/auth/biometric-login/initiate"
        return try await cluster.web.send(.post, url, json: #"{"email":"\#(quick)"}"#)
    }

    /// Whether a client that waits at the daemon gets no answer at all.
    private static func hearsNothing(
        of login: App.Login,
        within limit: Duration,
        _ cluster: Cluster
    ) async throws -> Bool {
        let app = cluster.app(lonely)
        let url = app.address("poll/\(login.id)?wait=20")
        do { _ = try await cluster.web.send(.get, url, app.sent(login), within: limit) } catch is OutboundError {
            return true
        }
        return false
    }

    /// Follows logins to their tokens, each at one daemon after the other, as clients do that are told 503.
    private static func collect(
        _ logins: [App.Login],
        at daemons: [Int],
        _ cluster: Cluster
    ) async throws -> [GrantClaims] {
        var grants: [GrantClaims] = []
        for login in logins {
            var tries = 0
            let reply = try await eventually(
                "the tokens of \(login.id)",
                within: .seconds(90),
                every: .milliseconds(100)
            ) {
                tries += 1
                let reply = try await cluster.app(daemons[tries % daemons.count]).ask(login)
                return reply.status == 503 || isPending(reply) ? nil : reply
            }
            grants.append(try grant(reply))
        }
        return grants
    }

    private static func isPending(_ reply: WebClient.Reply) -> Bool {
        reply.status == 200 && (try? reply.json(PollLoginResponse.self).status) == .pending
    }

    private static func grant(_ reply: WebClient.Reply) throws -> GrantClaims {
        guard reply.status == 200 else { throw ExpectationError("no tokens: \(reply)") }
        return try GrantClaims(reply.json())
    }

    private static func waitForReadiness(_ status: Int, _ cluster: Cluster) async throws {
        try await eventually("readiness \(status)") {
            let url = "\(cluster.daemons[lonely].url)/readyz"
            return (try? await cluster.web.send(.get, url, within: .seconds(5)))?.status == status
        }
    }

    /// Expects that the daemon serves again: it has learnt of the grants, makes new ones, and made none twice.
    ///
    /// `others`: how many further logins were granted meanwhile.
    private static func expectService(
        again logins: [App.Login],
        _ grants: [GrantClaims],
        others: Int = 0,
        _ cluster: Cluster
    ) async throws {
        let mended = ContinuousClock.now
        try await waitForReadiness(200, cluster)
        #expect(try await collect(logins, at: [lonely], cluster) == grants, "it has learnt of the grants")
        let login = try await eventually("a login that it starts", every: .milliseconds(200)) {
            try? await cluster.app(lonely).begin(quick, withVerifier: true)
        }
        _ = try await collect([login], at: [lonely], cluster)
        print("it served again \(ContinuousClock.now - mended) after the network")
        #expect(Set(grants.map(\.session)).count == logins.count)
        #expect(try await cluster.column("SELECT id FROM sessions").count == logins.count + others + 1)
        let twice = "SELECT subject FROM audit WHERE fact = 'operation.redeemed' GROUP BY subject HAVING COUNT(*) > 1"
        #expect(try await cluster.column(twice).isEmpty)
        try await cluster.daemons[0].order(["audit", "verify"])
        try await expectNoDeadConnections(cluster)
    }

    /// Expects that the server forgets the connections that it lost: it has only so many.
    private static func expectNoDeadConnections(_ cluster: Cluster) async throws {
        let sql = "SELECT client_addr, count(*) FROM pg_stat_activity WHERE datname = current_database() GROUP BY 1"
        var counts: [[String?]] = []
        do {
            try await eventually("the end of lost connections", every: .milliseconds(500)) {
                counts = try await cluster.database.run(sql)
                // A pool of three, and five more.
                return counts.allSatisfy { $0[1].flatMap { Int($0) } ?? 0 <= 8 }
            }
        } catch {
            throw ExpectationError("\(error): \(counts)")
        }
    }
}
