import Glibc
import Kernel
import Operations
import PostgresServer
import StoreContract
import Synchronization
import Testing

@testable import Storage

/// Several daemons on one database: names, leases, and who takes over.
///
/// The daemons' clock is the test's. The server's is real, so that ``lapse(_:)`` ends a lease there.
struct PostgresMembershipTests {
    private let database: TestPostgresDatabase
    private let time = SetTime()
    private let events = Collected<PostgresMembership.Event>()

    init() async throws { database = try await PostgresServer.shared.migratedDatabase() }

    /// Joins as a daemon that renews its lease when the test says so, or each real second.
    private func join(renews: Bool = false, notices: PostgresNotices = .listen) throws -> PostgresMembership {
        var options = database.options
        options.notices = notices
        return try PostgresMembership(
            options,
            environment: renews
                ? .tests
                : Environment(now: { TestDatabase.now }, clock: time, randomBytes: Environment.tests.randomBytes),
            description: NodeDescription(version: "0.1.0", config: "", encryptionKey: ""),
            renews: renews
        ) { [events] in events.add($0) }
    }

    /// Ends a lease as time would, behind its daemon's back.
    private func lapse(_ node: PostgresMembership) async throws {
        try await database.run("UPDATE nodes SET lease_until = \(PostgresNodes.now) - 1 WHERE name = '\(node.node)'")
    }

    /// Lets daemons renew their leases for as long as they have to before they take over from others.
    private func settle(_ nodes: PostgresMembership...) {
        for _ in 0..<8 { pass(.seconds(1), renewing: nodes) }
    }

    /// Lets time pass, at whose end daemons renew their leases.
    private func pass(_ duration: Duration, renewing nodes: [PostgresMembership]) {
        time.advance(by: duration)
        for node in nodes { node.renew() }
    }

    /// Renews leases until something has come about: another daemon's statement may break one off.
    private func renew(_ nodes: [PostgresMembership], until isDone: () -> Bool) async throws {
        for _ in 0..<60 {
            for node in nodes { node.renew() }
            if isDone() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("it did not come about: \(nodes.map(\.adopted))")
    }

    private func insert(_ operations: [Operation]) async throws {
        let open = PostgresDatabase.connect(database.options, environment: .tests)
        defer { open.close() }
        let store = SQLOperationStore(open)
        try await PostgresUnitOfWork(open).run { transaction in
            for operation in operations { try store.insert(operation, in: transaction) }
        }
    }

    private func operation(_ number: UInt64, by slot: Int, _ state: OperationState = .created) -> Operation {
        var draft = OperationSample.draft(number, state: state)
        draft.writer = NodeName(slot: slot)
        return draft.operation
    }

    @Test func `each daemon gets a name of its own, and a stopped one's name goes to the next`() async throws {
        let (first, second) = (try join(), try join())
        #expect([first.node, second.node] == [NodeName(slot: 0), NodeName(slot: 1)])
        #expect(first.isLeaseHeld && second.isLeaseHeld)
        first.close()
        first.close()
        let third = try join()
        #expect(third.node == NodeName(slot: 0))
        second.close()
        third.close()
    }

    // T-097
    @Test func `attack: a daemon with other notices than those that run is refused, and so is a command`() throws {
        for (own, other) in [(PostgresNotices.listen, PostgresNotices.poll), (.poll, .listen)] {
            let first = try join(notices: own)
            let refusal = PostgresOpenError.Reason.otherNotices(node: "local", notices: own.rawValue)
            let joining = #expect(throws: PostgresOpenError.self) { try join(notices: other) }
            #expect(joining?.reason == refusal)
            var options = database.options
            options.notices = other
            let error = #expect(throws: PostgresOpenError.self) {
                try PostgresMembership.checkNotices(options, environment: .tests)
            }
            #expect(error?.reason == refusal)
            #expect(error?.message.contains("storage.postgres.notices: \(own.rawValue), so that") == true)
            options.notices = own
            try PostgresMembership.checkNotices(options, environment: .tests)
            let second = try join(notices: own)
            #expect(!first.peers.isUnheard && !second.peers.isUnheard)
            for node in [first, second] { node.close() }
        }
        #expect(!events.all.contains(.unheard))
    }

    // T-097
    @Test func `of daemons that differ in their notices, those that joined first go on, and the others learn of it`()
        async throws
    {
        let (first, second) = (try join(), try join())
        // As if the first one had stood still while all others were changed, and came back.
        try await database.run(
            """
            UPDATE nodes SET notices = 'poll', started_at = started_at - 60000, lease_until = lease_until + 600000
            WHERE name = 'node-1'
            """
        )
        for _ in 0..<2 { first.renew() }
        #expect(first.peers.isUnheard && first.isLeaseHeld)
        #expect(events.all == [.unheard], "told once")
        try await database.run("UPDATE nodes SET started_at = started_at + 120000 WHERE name = 'node-1'")
        first.renew()
        #expect(!first.peers.isUnheard)
        second.close()
        first.close()
    }

    @Test func `a leader that stops completes as the leader what it has begun, and the next one leads as well`()
        async throws
    {
        let (first, second) = (try join(), try join())
        for node in [first, second] { node.renew() }
        #expect(first.peers.isLeader && !second.peers.isLeader)
        first.renew()
        first.close()
        time.advance(by: .milliseconds(2200))
        #expect(!first.isLeaseHeld && first.peers.isLeader)
        second.renew()
        #expect(second.peers.isLeader)
        second.close()
    }

    @Test func `daemons that join in the same moment get different names`() async throws {
        let nodes = try await withThrowingTaskGroup(of: PostgresMembership.self) { group in
            for _ in 0..<8 { group.addTask { try self.join() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(nodes.map(\.node.slot)) == Set(0..<8))
        for node in nodes { node.close() }
    }

    @Test func `one of two daemons takes over, and again when that one stops`() async throws {
        let (first, second, third) = (try join(), try join(), try join())
        try await insert([operation(1, by: 0)])
        settle(first, second, third)
        #expect(second.adopted.isEmpty && third.adopted.isEmpty)
        first.close()
        try await renew([second, third]) { second.adopted == [.first] || third.adopted == [.first] }
        let (adopter, other) = second.adopted.isEmpty ? (third, second) : (second, third)
        #expect(other.adopted.isEmpty)
        let (name, last) = (adopter.node, other.node)
        adopter.close()
        try await renew([other]) { other.adopted.contains(.first) }
        // The adopter had no operation of its own, the first one still has.
        try await renew([other]) { other.adopted == [.first] }
        #expect(!other.adopted.contains(name))
        try await database.run("UPDATE operations SET state = 'failed', failure = 'expired', ended_at = 5")
        try await renew([other]) { other.adopted.isEmpty }
        #expect(try await database.run("SELECT name FROM nodes").map { $0.first ?? nil } == [last.text])
        other.close()
    }

    @Test func `the name of a stopped daemon whose operations another follows is not given away`() async throws {
        let (first, second) = (try join(), try join())
        try await insert([operation(1, by: 0)])
        settle(first, second)
        first.close()
        try await renew([second]) { second.adopted == [.first] }
        let third = try join()
        #expect(third.node == NodeName(slot: 2))
        second.close()
        third.close()
    }

    @Test func `after an outage of the database nobody takes over before each has had time to renew`() async throws {
        let (first, second) = (try join(), try join())
        settle(first, second)
        // The outage: for longer than a lease nobody can renew.
        time.advance(by: .milliseconds(3300))
        for node in [first, second] { try await lapse(node) }
        #expect(!first.isLeaseHeld && !second.isLeaseHeld)
        // For as long as a round of the other one may take.
        for _ in 0..<4 {
            second.renew()
            #expect(second.adopted.isEmpty)
            time.advance(by: .milliseconds(700))
        }
        first.renew()
        second.renew()
        #expect(first.isLeaseHeld && second.isLeaseHeld)
        #expect(first.adopted.isEmpty && second.adopted.isEmpty)
        first.close()
        second.close()
    }

    @Test func `a daemon that was paused finds out that it was taken over, and takes another name`() async throws {
        let (first, second) = (try join(), try join())
        try await insert([operation(1, by: 0)])
        settle(first, second)
        // The first one stands still for longer than its lease.
        for _ in 0..<3 { pass(.seconds(1), renewing: [second]) }
        try await lapse(first)
        try await renew([second]) { second.adopted == [.first] }
        #expect(!first.isLeaseHeld)
        first.renew()
        #expect(first.node == NodeName(slot: 2) && first.isLeaseHeld)
        #expect(events.all.contains(.renamed(NodeName(slot: 2))))
        #expect(second.adopted == [.first])
        first.close()
        second.close()
    }

    @Test func `after an outage a daemon that joins takes no name of one that is about to renew its lease`()
        async throws
    {
        let first = try join()
        try await lapse(first)
        let second = try join()
        #expect(second.node == NodeName(slot: 1))
        first.renew()
        #expect(first.node == .first && first.isLeaseHeld)
        first.close()
        second.close()
    }

    @Test func `the name of a daemon that may only stand still is not given away for ten minutes`() async throws {
        let (first, second) = (try join(), try join())
        settle(first, second)
        try await lapse(first)
        try await renew([second]) { second.adopted == [.first] }
        second.renew()
        #expect(second.adopted == [.first], "it has no operation, and is remembered")
        try await database.run("UPDATE nodes SET lease_until = lease_until - 600000 WHERE name = 'local'")
        try await renew([second]) { second.adopted.isEmpty }
        #expect(try join().node == .first)
        second.close()
    }

    @Test func `a name in the table that no version of this program gave is passed over`() async throws {
        let (first, second) = (try join(), try join())
        try await insert([operation(1, by: 0)])
        try await database.run(
            """
            INSERT INTO nodes (name, life, version, config, encryption_key, started_at, lease_until)
            VALUES ('other', '', '', '', '', 0, 1)
            """
        )
        settle(first, second)
        first.close()
        try await renew([second]) { second.adopted == [.first] }
        #expect(events.all.allSatisfy { if case .takeoverFailed = $0 { false } else { true } })
        second.close()
    }

    @Test func `live operations of a name that no daemon has are found, as after a restored backup`() async throws {
        try await insert([operation(1, by: 7), operation(2, by: 9), operation(3, by: 9)])
        let node = try join()
        settle(node)
        node.renew()
        #expect(node.adopted == [NodeName(slot: 7), NodeName(slot: 9)])
        node.close()
    }

    @Test func `a lease that can't be renewed is lost and told once, and held again after that`() async throws {
        let node = try join(renews: true)
        let backend = try #require(pid_t(exactly: try await backend()))
        #expect(kill(backend, SIGSTOP) == 0)
        defer { kill(backend, SIGCONT) }
        // It may be held again before a busy machine looks.
        for _ in 0..<200 where node.isLeaseHeld && events.all.isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        #expect(!node.isLeaseHeld || !events.all.isEmpty)
        for _ in 0..<200 where !node.isLeaseHeld { try await Task.sleep(for: .milliseconds(50)) }
        #expect(node.isLeaseHeld)
        try await Task.sleep(for: .milliseconds(200))
        let told = events.all.map { if case .leaseLost = $0 { "lost" } else { "\($0)" } }
        #expect(told.isEmpty || told == ["lost", "\(PostgresMembership.Event.leaseHeld)"], "\(told)")
        node.close()
    }

    private func backend() async throws -> Int {
        try await PostgresServer.shared.backends(of: database.name).first ?? 0
    }

    @Test func `a name is read as it was written, and nothing else is one`() throws {
        #expect(NodeName("local") == .first && NodeName("node-12") == NodeName(slot: 12))
        for text in ["", "node-", "node-0", "node-01", "node--1", "node-x", "Local", "node-1 "] {
            #expect(NodeName(text) == nil, "\(text)")
        }
    }
}

/// Time that passes only when the test says so.
private final class SetTime: MonotonicClock {
    private let uptime = Mutex(Uptime(nanoseconds: 5_000_000_000))

    var now: Uptime { uptime.withLock(\.self) }

    func advance(by duration: Duration) { uptime.withLock { $0 = $0 + duration } }

    /// Nothing here waits on the clock.
    func sleep(until deadline: Uptime) async throws { throw CancellationError() }
}
