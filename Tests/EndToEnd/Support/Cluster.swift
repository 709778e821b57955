import Foundation
import Outbound
import PostgresServer
import Testing

/// Several daemons on one PostgreSQL database, with one provider, and clients that ask any of them.
///
/// All of them end with the test, also when it fails.
struct Cluster: Sendable {
    let folder: TestFolder
    let web: WebClient
    let mock: Mock
    let server: PostgresServer
    let database: TestPostgresDatabase
    let daemons: [Daemon]

    static let settings = [
        "limits.off=true", "faceLogin.approvalWindow=600s", "faceLogin.redemptionWindow=600s",
        "storage.postgres.deadline=3s", "storage.postgres.poolSize=3",
        // One address for all, as behind a load balancer.
        "publicURL=http://localhost:8080",
    ]
    /// The server's processes end and its files stay; only a power cut would need more.
    static let options = PostgresServerOptions(more: ["synchronous_commit": "on"])

    /// Runs `play` on daemons that share a database of a server of its own.
    ///
    /// `settings` are `key=value` each; `people` have a face at the provider; `places` is how many other fixtures wait
    /// for it; `network` has a host for each daemon, if they don't run beside the tests.
    static func run(
        _ settings: [String] = [],
        count: Int = 3,
        people: [String] = [],
        places: Int = Admission.capacity,
        on network: HostNetwork? = nil,
        within limit: Duration = .seconds(400),
        _ play: @escaping @Sendable (Cluster) async throws -> Void
    ) async throws {
        try await Admission.shared.enter(places: places) {
            let server = try await PostgresServer.start(network?.options(Self.options) ?? Self.options)
            do {
                try await network?.admit(to: server)
                try await run(on: server, settings, count: count, people: people, network, within: limit, play)
            } catch {
                try? await server.stop(.immediate)
                throw error
            }
            try await server.stop(.immediate)
        }
    }

    private static func run(
        on server: PostgresServer,
        _ settings: [String],
        count: Int,
        people: [String],
        _ network: HostNetwork?,
        within limit: Duration,
        _ play: @escaping @Sendable (Cluster) async throws -> Void
    ) async throws {
        let database = try await server.emptyDatabase()
        try await TestFolder.use { folder in
            try await WebClient.use { web in
                let mock = Mock(web)
                try await mock.start()
                let shared =
                    Fixture.settings(mock) + Self.settings + ["storage.postgres.url=\(database.url)"] + settings
                let password = try folder.write("password", PostgresServer.password)
                let daemons = (0..<count).map { index in
                    Daemon(
                        dataFolder: folder["data-\(index)"],
                        settings: shared + (network?.settings(of: index, database, passwordFile: password) ?? []),
                        host: network?.hosts[index]
                    )
                }
                let cluster = Cluster(
                    folder: folder,
                    web: web,
                    mock: mock,
                    server: server,
                    database: database,
                    daemons: daemons
                )
                do {
                    try await cluster.start(people)
                    try await bounded(limit, "the test") { try await play(cluster) }
                } catch {
                    let report = cluster.report
                    await cluster.strike()
                    throw ExpectationError("\(error)\n\(report)")
                }
                await cluster.strike()
            }
        }
    }

    /// An app whose requests go to any of the daemons.
    var app: App {
        var app = App(web: web, url: daemons[0].url)
        app.others = daemons.dropFirst().map(\.url)
        return app
    }

    /// An app of one of the daemons.
    func app(_ index: Int) -> App { App(web: web, url: daemons[index].url) }

    /// The first column of a query's rows.
    func column(_ sql: String) async throws -> [String] { try await database.run(sql).compactMap { $0.first ?? nil } }

    /// Waits until every daemon is ready.
    func ready() async throws {
        for daemon in daemons {
            try await eventually("a daemon that is ready") {
                (try? await web.send(.get, "\(daemon.url)/readyz"))?.status == 200
            }
        }
    }

    private func start(_ people: [String]) async throws {
        try await daemons[0].order(["migrate"])
        try await daemons[0].start()
        for daemon in daemons.dropFirst() {
            for folder in [daemon.dataFolder, "\(daemon.dataFolder)/keys"] {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700]
                )
            }
            try FileManager.default.copyItem(
                atPath: "\(daemons[0].dataFolder)/keys/root.key",
                toPath: "\(daemon.dataFolder)/keys/root.key"
            )
            try await daemon.start()
        }
        try await daemons[0].addPeople(people)
    }

    private func strike() async {
        for daemon in daemons { await daemon.destroy() }
        await mock.destroy()
    }

    private var report: String {
        (daemons.map(\.program) + [mock.program]).compactMap(\.self).map { "--- \($0.name)\n\($0.log.tail())" }
            .joined(separator: "\n")
    }
}
