import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import OAuth
import Sessions
import Storage
import Synchronization

@testable import Assembly
@testable import Operations

/// Several compositions over one store, of which each answers one request after the other.
///
/// What one announces, the others hear before the next request.
final class SpreadDaemons: Sendable {
    /// How many every harness has: one, unless `VESTIBULE_TEST_DAEMONS` says more.
    static let usualCount = ProcessInfo.processInfo.environment["VESTIBULE_TEST_DAEMONS"].flatMap { Int($0) } ?? 1

    /// How many a harness of this task has.
    @TaskLocal static var count = usualCount

    private let sent = Mutex<[(sender: Int, message: FeedMessage)]>([])
    private let all = Mutex<[Composition]>([])
    /// The uses of small limits, which they count together.
    let uses: MemorySharedUses

    init(clock: any MonotonicClock) { uses = MemorySharedUses(clock: clock) }

    var compositions: [Composition] { all.withLock { $0 } }

    func add(_ composition: Composition) { all.withLock { $0.append(composition) } }

    /// Stops all of them, and lets go of them: each holds its feed, which holds this.
    func shutdown() async {
        for composition in compositions { await composition.shutdown() }
        all.withLock { $0 = [] }
    }

    /// The stores for the daemon of that number.
    func stores(_ stores: Stores, of index: Int, among count: Int) -> Stores {
        let upkeep = SpreadUpkeep(
            base: stores.upkeep,
            nodes: SpreadNode(slot: index, count: count),
            feed: Feed(sender: index, daemons: self),
            sharedUses: uses
        )
        return Stores(
            unitOfWork: stores.unitOfWork,
            operations: stores.operations,
            people: stores.people,
            sessions: stores.sessions,
            oauth: stores.oauth,
            wallet: stores.wallet,
            audit: stores.audit,
            upkeep: upkeep
        )
    }

    /// Hands on what was announced, also what that leads to.
    func deliver() async {
        while true {
            let messages = sent.withLock { sent in
                defer { sent = [] }
                return sent
            }
            guard !messages.isEmpty else { return }
            for (sender, message) in messages {
                for (index, composition) in compositions.enumerated() where index != sender {
                    await Self.take(message, composition)
                }
            }
        }
    }

    private static func take(_ message: FeedMessage, _ composition: Composition) async {
        let event = FeedEvent.message(message)
        let environment = composition.environment
        await composition.service.take(event)
        composition.revokedSessions.take(event, at: environment.now(), uptime: environment.clock.now)
        if message == .clientsChanged { _ = try? await composition.oauth.clients.load() }
    }

    private struct Feed: ChangeFeed {
        let sender: Int
        let daemons: SpreadDaemons

        func announce(_ message: FeedMessage) { daemons.sent.withLock { $0.append((sender, message)) } }

        func events() -> AsyncStream<FeedEvent> { SilentFeed().events() }
    }
}

/// A daemon whose lease is always held.
private struct SpreadNode: NodeMembership {
    let slot: Int
    let count: Int

    var node: NodeName { NodeName(slot: slot) }
    var isShared: Bool { true }
    var isLeaseHeld: Bool { true }
    var adopted: Set<NodeName> { [] }
    var peers: Peers { Peers(count: count, isLeader: slot == 0) }
}

private struct SpreadUpkeep: StoreUpkeep {
    let base: any StoreUpkeep
    let nodes: any NodeMembership
    let feed: any ChangeFeed
    let sharedUses: (any SharedUses)?

    var ids: IDForm { base.ids }
    var registry: any NodeRegistry { base.registry }
    var encryptedRows: (any EncryptedRows)? { base.encryptedRows }
    var fileSizes: (database: Int64, log: Int64)? { base.fileSizes }

    func checkDurable() async throws { try await base.checkDurable() }

    func purge(of kind: ExpiringRowKind) -> Purge { base.purge(of: kind) }

    func close() throws { try base.close() }
}

/// Sends each request to the next of the daemons.
struct SpreadClient: TestClientProtocol {
    let clients: [any TestClientProtocol]
    let daemons: SpreadDaemons
    private let next = SharedCount()

    init(_ clients: [any TestClientProtocol], _ daemons: SpreadDaemons) {
        self.clients = clients
        self.daemons = daemons
    }

    var port: Int? { clients[0].port }

    func executeRequest(
        uri: String,
        method: HTTPRequest.Method,
        headers: HTTPFields,
        body: ByteBuffer?
    ) async throws -> TestResponse {
        // What a test did itself was told meanwhile, too.
        await daemons.deliver()
        let client = clients[next.take() % clients.count]
        let response = try await client.executeRequest(uri: uri, method: method, headers: headers, body: body)
        // A moment later, as far as others can see.
        for composition in daemons.compositions { await composition.service.keepBindings(isLast: false) }
        await daemons.deliver()
        return response
    }

    private final class SharedCount: Sendable {
        private let count = Mutex(0)

        func take() -> Int {
            count.withLock { count in
                defer { count += 1 }
                return count
            }
        }
    }
}
