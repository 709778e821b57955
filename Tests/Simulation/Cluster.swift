import Kernel
import MemoryStore
import Operations
import Synchronization

/// What several daemons share besides their store, and what the history knows of all of them.
struct Cluster {
    /// The table of daemons, as PostgreSQL has it.
    var rows: [NodeName: NodeRow] = [:]
    /// The batches that are on their way.
    var packets: [Packet] = []
    /// The number of the last life.
    var lives: Int
    /// Which initiator a message quiets, as far as the history knows.
    var quietKeys: [UInt64: Initiator] = [:]
    /// When each version of an operation became durable and could be announced.
    var changes: [OperationRowID: [Int64: Uptime]] = [:]
    /// Operations whose newest version is durable although its writer got an error, so that nobody may know of it.
    var uncertain: Set<OperationRowID> = []
    /// Whether the writer of the next version gets an error.
    var isUncertain = false
    /// When a daemon stopped, woke up, came up or changed its name last.
    var lastDisturbance = Uptime(nanoseconds: 0)

    /// Daemons whose clocks differ by less than a second, that serve since the beginning.
    static func started(
        _ count: Int,
        seed: UInt64,
        time: VirtualTime,
        disk: MemoryDisk,
        providers: [SimulatedProvider]
    ) -> (Cluster, [SimulatedDaemon]) {
        var cluster = Cluster(lives: count)
        var skews = SeededRandom(seed: seed ^ 0x5EED)
        let daemons = (0..<count).map { index in
            let skew = Duration.milliseconds(skews.below(1800) - 900)
            let peer = ClusterPeer(NodeName(slot: index), life: index + 1, clock: time)
            let environment = environment(time, seed: seed &* 31 &+ 7 &+ UInt64(index) << 32, skew: skew)
            cluster.rows[peer.node.node] = NodeRow(life: peer.life, leaseUntil: time.now + NodeRow.lease)
            return SimulatedDaemon(environment, disk: disk, providers: providers, as: peer)
        }
        return (cluster, daemons)
    }

    /// The environment of a daemon's machine.
    private static func environment(_ time: VirtualTime, seed: UInt64, skew: Duration) -> Environment {
        let usual = time.environment(seed: seed)
        return Environment(now: { usual.now() + skew }, clock: time) { count in
            guard count == 8 else { return usual.randomBytes(count) }
            // Jitter: operations that are read at the same time draw it in any order.
            var moment = SeededRandom(seed: seed ^ UInt64(bitPattern: time.now.nanoseconds))
            return (0..<8).map { _ in moment.byte() }
        }
    }
}

/// A daemon's row in the table of daemons.
struct NodeRow {
    /// How long a daemon's operations are its own after it has renewed its lease.
    static let lease: Duration = .seconds(3)
    /// The name of a daemon that did not stop in order stays taken for so long.
    static let memory: Duration = .seconds(600)

    let life: Int
    /// `nil` for a name that was given back.
    var leaseUntil: Uptime?
    var adopter: NodeName?

    func isOver(at now: Uptime) -> Bool { leaseUntil.map { $0 < now } ?? true }
}

/// A batch of messages on its way to a daemon.
struct Packet {
    /// The receiver's life.
    let receiver: Int
    let text: String
    let due: Uptime
}

/// A daemon's place among several.
struct ClusterPeer {
    let node: SimulatedNode
    let feed = SimulatedFeed()
    let life: Int
    /// How it is called as a sender of messages.
    let sender: String
    /// The number and the time of its last batch.
    var sent: (number: Int64, at: Uptime)
    /// Whom it has heard.
    var senders = FeedSenders()
    var isUp = true
    var isPaused = false
    /// Whether it serves nobody any more, because it stops.
    var isStopping = false
    /// How many of its reads and writes are in progress.
    var storeWaits = 0
    /// When it could not read or write, or stood still, last.
    var lastTrouble: Uptime

    init(_ name: NodeName, life: Int, clock: VirtualTime) {
        node = SimulatedNode(name, clock: clock)
        self.life = life
        sender = "life-\(life)"
        sent = (0, clock.now)
        lastTrouble = clock.now
    }

    /// Whether its loops run.
    var isRunning: Bool { isUp && !isPaused }
    /// Whether clients reach it.
    var isServing: Bool { isRunning && !isStopping }
}

/// A daemon among several, as its engine sees it.
final class SimulatedNode: NodeMembership {
    /// How long after a renewal a daemon follows operations.
    static let hold: Duration = .seconds(2)
    /// How long leases have to be renewed without a break before a daemon takes over from others.
    static let settling: Duration = .seconds(8)

    struct State {
        var name: NodeName
        var renewed: Uptime
        var unbroken: Uptime
        var lastRound: Uptime
        var rounds = 0
        var adopted: Set<NodeName> = []
    }

    let state: Mutex<State>
    private let clock: VirtualTime

    init(_ name: NodeName, clock: VirtualTime) {
        let now = clock.now
        self.clock = clock
        state = Mutex(State(name: name, renewed: now, unbroken: now, lastRound: now))
    }

    var node: NodeName { state.withLock(\.name) }
    var isShared: Bool { true }
    var isLeaseHeld: Bool { isLeaseHeld(at: clock.now) }
    var adopted: Set<NodeName> { state.withLock(\.adopted) }
    var peers: Peers { Peers(count: 3, isLeader: false) }

    func isLeaseHeld(at now: Uptime) -> Bool { now - state.withLock(\.renewed) < Self.hold }
}

/// The messages that a daemon has not sent yet.
final class SimulatedFeed: ChangeFeed {
    private let waiting = Mutex<[FeedMessage]>([])

    func announce(_ message: FeedMessage) { waiting.withLock { $0.append(message) } }

    func events() -> AsyncStream<FeedEvent> { AsyncStream { $0.finish() } }

    var last: FeedMessage? { waiting.withLock(\.last) }

    func take() -> [FeedMessage] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
