import Accounts
import CodeFlow
import FaceProviders
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Logging
import MemoryStore
import NIOCore
import OAuth
import Operations
import Storage
import Testing

@testable import Assembly
@testable import HTTPAPI
@testable import Settings

/// The HTTP API over a real composition: stores in memory or in a database, a scripted provider, and time that stands still until the test
/// moves it.
struct Harness: Sendable {
    /// Where the scripted provider's pages are.
    static let pages = "https://provider.example.com"

    let folder: TestFolder
    let settings: Settings
    let time: VirtualTime
    let provider: ScriptedFaceProvider
    let bank: ScriptedBank
    let log: LogRecorder
    private(set) var composition: Composition
    /// All of them, with that one as the first.
    let daemons: SpreadDaemons
    private(set) var api: PublicAPI
    private let apis: [PublicAPI]
    let watchers: [Watcher]
    let client: any TestClientProtocol

    /// Runs `body` over the laptop's config, `change`d, with Ada and Bob as accounts.
    ///
    /// `storage`: where the rows are kept. Tests of restarts say a database, which belongs to the folder.
    ///
    /// `silence`: what connections are given by ``ConnectionHandlers``; a `.live` bench alone has them.
    static func run(
        _ setup: TestingSetup = .router,
        storage: HarnessStorage = .usual,
        folder: TestFolder? = nil,
        time: VirtualTime = VirtualTime(),
        seed: UInt64 = 1,
        provider: ScriptedFaceProvider? = nil,
        proofCapacity: Int = UsedProofs.capacity,
        silence: TimeAmount = .seconds(75),
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        let folder = try folder ?? TestFolder()
        let provider = provider ?? ScriptedFaceProvider(name: ProviderName("mock"))
        let (log, bank) = (LogRecorder(), ScriptedBank())
        var settings = try Self.laptop(folder)
        change(&settings)
        let stores = try await storage.prepare(&settings, in: folder)
        let daemons = SpreadDaemons(clock: time)
        // Only stores in memory can be shared here.
        let count = stores == nil ? 1 : SpreadDaemons.count
        for index in 0..<count {
            let composition = try Composition(
                settings,
                as: .only,
                environment: time.environment(seed: seed + UInt64(index) * 1_000_003),
                logger: log.logger,
                migrating: true,
                stores: count == 1 ? stores : stores.map { daemons.stores($0, of: index, among: count) },
                faceProviders: [provider],
                banks: bank,
                // An unoptimised build takes a second for what OWASP recommends; PasswordHasherTests do.
                passwordCost: ScryptParameters(rounds: 16, blockSize: 1, parallelism: 1)
            )
            daemons.add(composition)
        }
        do {
            for composition in daemons.compositions { _ = try await composition.service.recover() }
            let apis = daemons.compositions.map { $0.http(proofCapacity: proofCapacity) }
            let applications = apis.map { api in
                Application(
                    responder: api.responder(),
                    server: .http1(
                        configuration: .init(additionalChannelHandlers: ConnectionHandlers.make(silence: silence))
                    ),
                    onServerRunning: { try? await LastConnections.handOver(from: $0) },
                    logger: log.logger
                )
            }
            try await test(applications[...], setup) { [settings] clients in
                let harness = Harness(
                    folder: folder,
                    settings: settings,
                    time: time,
                    provider: provider,
                    bank: bank,
                    log: log,
                    composition: daemons.compositions[0],
                    daemons: daemons,
                    api: apis[0],
                    apis: apis,
                    watchers: daemons.compositions.map { Watcher(service: $0.service) },
                    client: clients.count == 1 ? clients[0] : SpreadClient(clients, daemons)
                )
                try await harness.addPeople()
                try await body(harness)
            }
        } catch {
            await daemons.shutdown()
            throw error
        }
        await daemons.shutdown()
    }

    /// Runs `body` while all of the applications run.
    private static func test(
        _ applications: ArraySlice<some ApplicationProtocol>,
        _ setup: TestingSetup,
        _ clients: [any TestClientProtocol] = [],
        _ body: @Sendable ([any TestClientProtocol]) async throws -> Void
    ) async throws {
        guard let first = applications.first else { return try await body(clients) }
        let others = applications.dropFirst()
        try await first.test(setup) { client in try await test(others, setup, clients + [client], body) }
    }

    /// Runs `body` with a client of an application that each daemon has, which `make` makes of its API.
    func serve(
        _ make: (Harness) -> some ApplicationProtocol,
        _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let applications = zip(daemons.compositions, apis).map { composition, api in
            var daemon = self
            (daemon.composition, daemon.api) = (composition, api)
            return make(daemon)
        }
        try await Self.test(applications[...], .router) { clients in
            try await body(clients.count == 1 ? clients[0] : SpreadClient(clients, daemons))
        }
    }

    var watcher: Watcher { watchers[0] }

    /// The number of polls that wait, on all daemons.
    var parkedCount: Int { daemons.compositions.reduce(0) { $0 + $1.service.cache.parkedCount } }

    /// The database of a harness over SQLite.
    var database: SQLiteDatabase {
        get throws { try #require(composition.stores.upkeep as? SQLiteUpkeep, "the harness is over SQLite").database }
    }

    /// The built-in config, over a folder.
    private static func laptop(_ folder: TestFolder) throws -> Settings {
        let sources = SettingsSources(configFile: nil, workingFolder: folder.path, dataFolder: folder.path)
        var settings = try SettingsLoader(files: SettingsFiles { _ in .missing }).load(sources).settings
        let mock = AuthIDConfiguration(
            baseURL: "https://provider-api.example.com",
            pageURL: pages,
            keyID: Secret(""),
            keyValue: Secret("")
        )
        settings.providers = ["mock": ProviderSettings(.authID(mock))]
        settings.sampleData.client = "myvoo"
        // Of no client, so that it is asked by nobody: its routes are there.
        var upstream = UpstreamSettings(name: "upstream")
        upstream.server.authorizeURL = "https://upstream.example.com/authorize"
        upstream.server.tokenURL = "https://upstream.example.com/token"
        settings.upstreams = ["upstream": upstream]
        settings.banks = banks()
        settings.wallet.confirmEnrollment = false
        var securityText = SecurityText()
        securityText.contacts = ["mailto:security@example.com"]
        settings.securityText = securityText
        return settings
    }

    private func addPeople() async throws {
        for name in ["ada", "bob"] {
            let order = NewAccount(
                email: "\(name)@example.com",
                name: name.capitalized,
                attributes: try AccountAttributes(parsing: ["role=admin", "department=Research"]),
                enroll: "mock",
                providerAccount: "enrolment of \(name)"
            )
            do { _ = try await composition.accounts.add(order) } catch AccountError.emailTaken {}
        }
    }
}
