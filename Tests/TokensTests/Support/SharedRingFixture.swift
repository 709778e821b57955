import Kernel
import Synchronization
import TokenReading

@testable import Tokens

/// Daemons with one `root.key`, each with a key folder of its own, over one database.
final class SharedRingFixture: Sendable {
    static let day = Duration.seconds(86_400)

    let rings = MemoryRings()
    let feed = ScriptedFeed()
    private let homes: Mutex<[TemporaryFolder]>

    init() throws {
        let home = try TemporaryFolder()
        homes = Mutex([home])
        _ = try TokenFixture.openFolder(home)
    }

    /// Returns the key folder of one more daemon, which holds only `root.key`.
    func folder() throws -> KeyFolder {
        let home = try TemporaryFolder()
        let first = homes.withLock { homes in
            homes.append(home)
            return homes[0]
        }
        _ = try TokenFixture.openFolder(home)
        try home.copy("keys/root.key", from: first)
        return try TokenFixture.openFolder(home)
    }

    /// Starts one more daemon.
    func daemon(
        in folder: KeyFolder? = nil,
        announcement: Duration = .zero,
        rotation: Duration? = nil,
        feed: ScriptedFeed? = nil,
        reportUnmarked: @escaping @Sendable (KeyError) -> Void = { _ in }
    ) throws -> KeyRing {
        let store = SharedRingStore(
            rings,
            folder: try folder ?? self.folder(),
            feed: feed ?? self.feed,
            environment: TokenFixture.environment,
            reportUnmarked: reportUnmarked
        )
        return try KeyRing.open(
            in: store,
            policy: KeyRingPolicy(algorithm: .es256, announcement: announcement, rotation: rotation),
            longestToken: TokenFixture.retiredKeysVerifyFor,
            now: TokenFixture.now
        )
    }

    /// Returns the error of one more start.
    func refusal(in folder: KeyFolder? = nil) throws -> KeyError? {
        let folder = try folder ?? self.folder()
        do { _ = try daemon(in: folder) } catch { return error as? KeyError }
        return nil
    }
}

extension KeyRing {
    /// The changes that the daemon has to record.
    func recorded() async -> [KeyChange] {
        let handed = Mutex<[DatedKeyChange]>([])
        await handOver { changes in
            handed.withLock { $0 += changes }
            return true
        }
        return handed.withLock { $0 }.map(\.change)
    }

    var kids: [KeyID] { snapshot.keys.map(\.id) }
}
