import Fuzzing
import Outbound
import PostgresServer
import Testing
import Wire

extension EndToEnd.Clusters {
    private static let template = "bob@example.com"
    private static let told = "ada@example.com"

    @Test(.enabled(if: TestSize.isLong, "the long tests have the time for it"))
    func `of a hundred thousand live logins another daemon takes over a third within seconds`() async throws {
        // Few checks of so many at the provider, and time enough for all of them.
        let settings = ["faceLogin.coldCheck=60s", "faceLogin.lifetime=900s"]
        try await Cluster.run(settings, people: [Self.template, Self.told], within: .seconds(900)) { cluster in
            for app in (0..<3).map(cluster.app) {
                let login = try await app.initiate(Self.template, withVerifier: true)
                #expect(try await app.open(login) == 303)
            }
            try await Self.multiply(by: 33_333, cluster)
            let login = try await cluster.app(0).initiate(Self.told, withVerifier: true)
            #expect(try await cluster.app(2).open(login) == 303)
            let node = "SELECT node FROM operations WHERE ended_at IS NULL ORDER BY created_at DESC, id LIMIT 1"
            let dead = try #require(try await cluster.column(node).first)
            let start = ContinuousClock.now
            await cluster.daemons[2].destroy()
            try await cluster.mock.decide(Self.told, "accept")
            try await eventually("another one that took over", every: .milliseconds(100)) {
                try await !cluster.column("SELECT adopted_by FROM nodes WHERE name = '\(dead)'").isEmpty
            }
            let adopted = ContinuousClock.now - start
            let answer = try await cluster.app(1).follow(login)
            #expect(answer.status == .completed && answer.tokens != nil, "\(answer)")
            print("taken over after \(adopted), told after \(ContinuousClock.now - start)")
            #expect(adopted < .seconds(5))
            // As many as before: no deadline has passed, and nothing was decided.
            let live = "SELECT count(*) FROM operations WHERE ended_at IS NULL AND state = 'pending'"
            #expect(try await cluster.column(live) == ["100002"])
            #expect(try await cluster.daemons[1].stop() == .exited(0))
        }
    }

    /// Copies each pending login so many times; the copies have the same scan.
    private static func multiply(by count: Int, _ cluster: Cluster) async throws {
        let change = """
            INSERT INTO operations
            SELECT copy.* FROM operations AS one
            CROSS JOIN generate_series(1, \(count)) AS number
            CROSS JOIN LATERAL jsonb_populate_record(one, jsonb_build_object(
                'id', left(one.id, 24) || lpad(to_hex(number), 12, '0'),
                'public_id', '\\x' || encode(sha256(convert_to('public' || one.id || number, 'UTF8')), 'hex'),
                'ticket', '\\x' || encode(sha256(convert_to('ticket' || one.id || number, 'UTF8')), 'hex'),
                'scan_page', NULL
            )) AS copy
            WHERE one.ended_at IS NULL AND one.state = 'pending'
            """
        try await cluster.database.run(change)
        #expect(try await cluster.column("SELECT count(*) FROM operations") == ["\(3 * count + 3)"])
    }
}
