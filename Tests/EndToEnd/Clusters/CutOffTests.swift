import Foundation
import Fuzzing
import Outbound
import PostgresServer
import Testing
import Wire

extension EndToEnd.Clusters {
    private static let slow = "ada@example.com"
    private static let person = "accept+50ms@example.com"

    @Test(.enabled(if: TestSize.isLong, "the long tests cut a daemon off"))
    func `a daemon that the network cuts off from the database for ten seconds grants nothing, and serves again`()
        async throws
    {
        try await Cluster.run(people: [Self.slow, Self.person], places: 2) { cluster in
            let forwarder = try Forwarder(to: cluster.server.port)
            defer { forwarder.close() }
            let password = try cluster.folder.write("password", PostgresServer.password)
            let url = "postgresql://\(PostgresServer.owner)@127.0.0.1:\(forwarder.port)/\(cluster.database.name)"
            let settings = ["storage.postgres.url=\(url)", "storage.postgres.password=file:\(password)"]
            try await Self.replace(cluster.daemons[2], settings) { daemon in
                let login = try await cluster.app(1).initiate(Self.slow, withVerifier: true)
                // Who opened it follows it.
                #expect(try await cluster.app(2).open(login) == 303)
                let cut = ContinuousClock.now
                forwarder.stall()
                try await cluster.mock.decide(Self.slow, "accept")
                async let alone = Self.answers(of: 2, to: login, until: cut + .seconds(10), cluster)
                let told = try await cluster.app(0).follow(login, within: .seconds(30))
                #expect(told.status == .completed && told.tokens != nil, "\(told)")
                print("another daemon told it \(ContinuousClock.now - cut) after the cut")
                try await Self.waitForReadiness(503, daemon, cluster)
                let answers = try await alone
                #expect(answers.allSatisfy { $0.status == 503 || $0.status == 200 && !$0.text.contains("accessToken") })
                forwarder.resume()
                try await Self.waitForReadiness(200, daemon, cluster)
                let again = try await cluster.app(2).poll(login)
                #expect(try GrantClaims(again) == GrantClaims(told), "it has learnt of the grant")
                let next = try await cluster.app(2).begin(Self.person, withVerifier: true)
                #expect(try await cluster.app(2).follow(next).tokens != nil)
                try await cluster.daemons[0].order(["audit", "verify"])
            }
        }
    }

    @Test(
        .enabled(if: TestSize.isLong, "the long tests set a daemon's clock wrong"),
        .enabled(if: FakeTime.library != nil, "libfaketime is not installed (apt-get install faketime)")
    )
    func `a daemon whose clock is wrong by five seconds is not ready, and the others serve`() async throws {
        try await Cluster.run(people: [Self.person], places: 2) { cluster in
            for offset in ["+5s", "-5s"] {
                let environment = try FakeTime.environment(offset)
                try await Self.replace(cluster.daemons[2], environment: environment) { daemon in
                    try await Self.waitForReadiness(503, daemon, cluster)
                    let health = try await cluster.web.send(.get, "\(daemon.url)/readyz").text
                    #expect(health.contains(#""clock":"skewed""#), "\(health)")
                    for index in 0..<2 {
                        try await Self.waitForReadiness(200, cluster.daemons[index], cluster)
                        let login = try await cluster.app(index).begin(Self.person, withVerifier: true)
                        #expect(try await cluster.app(1 - index).follow(login).tokens != nil)
                    }
                }
            }
            try await cluster.ready()
        }
    }

    /// Runs `play` with another daemon in the place of one, which is started again afterwards.
    private static func replace(
        _ daemon: Daemon,
        _ settings: [String] = [],
        environment: [String: String] = [:],
        _ play: (Daemon) async throws -> Void
    ) async throws {
        #expect(try await daemon.stop() == .exited(0))
        let successor = daemon.successor(settings, environment: environment)
        do {
            try await successor.start()
            try await play(successor)
        } catch {
            await successor.destroy()
            throw ExpectationError("\(error)\n\(successor.program?.log.tail() ?? "")")
        }
        #expect(try await successor.stop() == .exited(0))
        try await daemon.start()
    }

    private static func waitForReadiness(_ status: Int, _ daemon: Daemon, _ cluster: Cluster) async throws {
        try await eventually("readiness \(status)") {
            try await cluster.web.send(.get, "\(daemon.url)/readyz").status == status
        }
    }

    /// What one daemon answers about a login until that moment.
    private static func answers(
        of index: Int,
        to login: App.Login,
        until end: ContinuousClock.Instant,
        _ cluster: Cluster
    ) async throws -> [WebClient.Reply] {
        var answers: [WebClient.Reply] = []
        while ContinuousClock.now < end {
            answers.append(try await cluster.app(index).ask(login))
            try await Task.sleep(for: .milliseconds(200))
        }
        return answers
    }
}

/// Another time for a program, by Debian's libfaketime.
private enum FakeTime {
    static let library = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1" }
        .first { FileManager.default.fileExists(atPath: $0) }

    /// The wall clock differs by `offset`; the others go on as they do.
    static func environment(_ offset: String) throws -> [String: String] {
        ["LD_PRELOAD": try #require(library), "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1"]
    }
}
