import Glibc
import Kernel
import Operations
import PostgresServer
import StoreContract
import Testing

@testable import Storage

/// Several daemons on one database: names, leases, and who takes over.
struct PostgresMembershipTests {
    private let database: TestPostgresDatabase
    private let events = Collected<PostgresMembership.Event>()

    init() async throws { database = try await PostgresServer.shared.migratedDatabase() }

    private func join(isAlone: Bool = false, renews: Bool = false) throws -> PostgresMembership {
        try PostgresMembership(
            database.options,
            environment: .tests,
            description: NodeDescription(version: "0.1.0", config: "", encryptionKey: ""),
            isAlone: isAlone,
            renews: renews
        ) { [events] in events.add($0) }
    }

    /// Ends a lease as time would, behind its daemon's back.
    private func lapse(_ node: PostgresMembership) async throws {
        try await database.run("UPDATE nodes SET lease_until = 1 WHERE name = '\(node.node)'")
    }

    /// Waits until a daemon that was there before has renewed its lease for long enough.
    private func settle(_ nodes: PostgresMembership...) async throws {
        for _ in 0..<10 {
            try await Task.sleep(for: .milliseconds(800))
            for node in nodes { node.renew() }
        }
    }

    /// Renews leases until something has come about: a busy machine may break one off.
    private func renew(_ nodes: [PostgresMembership], until isDone: () -> Bool) async throws {
        for _ in 0..<60 {
            for node in nodes { node.renew() }
            if isDone() { return }
            try await Task.sleep(for: .milliseconds(500))
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

    @Test func `a leader that stops completes as the leader what it has begun, and the next one leads as well`()
        async throws
    {
        let (first, second) = (try join(), try join())
        for node in [first, second] { node.renew() }
        #expect(first.peers.isLeader && !second.peers.isLeader)
        first.renew()
        first.close()
        try await Task.sleep(for: .milliseconds(2200))
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

    @Test func `the only daemon takes the first name and all operations at once, however many were there before`()
        async throws
    {
        let before = [try join(), try join(), try join()]
        try await insert([operation(1, by: 2)])
        let alone = try join(isAlone: true)
        #expect(alone.node == .first)
        for node in before { try await lapse(node) }
        try await database.run("UPDATE nodes SET lease_until = 1 WHERE name <> 'local'")
        alone.renew()
        #expect(alone.adopted == [NodeName(slot: 1), NodeName(slot: 2)])
        // None of the first one's operations is left, and its lease was over long ago.
        alone.renew()
        #expect(alone.adopted == [NodeName(slot: 2)])
    }

    @Test func `one of two daemons takes over, and again when that one stops`() async throws {
        let (first, second, third) = (try join(), try join(), try join())
        try await insert([operation(1, by: 0)])
        try await settle(first, second, third)
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
        try await settle(first, second)
        first.close()
        try await renew([second]) { second.adopted == [.first] }
        let third = try join()
        #expect(third.node == NodeName(slot: 2))
        second.close()
        third.close()
    }

    @Test func `after an outage of the database nobody takes over before each has had time to renew`() async throws {
        let (first, second) = (try join(), try join())
        try await settle(first, second)
        // The outage: for longer than a lease nobody can renew.
        try await Task.sleep(for: .milliseconds(3300))
        #expect(!first.isLeaseHeld && !second.isLeaseHeld)
        // For as long as a round of the other one may take.
        for _ in 0..<4 {
            second.renew()
            #expect(second.adopted.isEmpty)
            try await Task.sleep(for: .milliseconds(700))
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
        try await settle(first, second)
        // The first one stands still for longer than its lease.
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
        try await settle(first, second)
        try await renew([second]) { second.adopted == [.first] }
        try await renew([second]) { true }
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
        try await settle(first, second)
        first.close()
        try await renew([second]) { second.adopted == [.first] }
        #expect(events.all.allSatisfy { if case .takeoverFailed = $0 { false } else { true } })
        second.close()
    }

    @Test func `live operations of a name that no daemon has are found, as after a restored backup`() async throws {
        try await insert([operation(1, by: 7), operation(2, by: 9), operation(3, by: 9)])
        let node = try join(isAlone: true)
        node.renew()
        #expect(node.adopted == [NodeName(slot: 7), NodeName(slot: 9)])
        node.close()
    }

    @Test func `a lease that can't be renewed is lost and told once, and held again after that`() async throws {
        let node = try join(renews: true)
        let backend = try #require(pid_t(exactly: try await backend()))
        #expect(kill(backend, SIGSTOP) == 0)
        defer { kill(backend, SIGCONT) }
        for _ in 0..<200 where node.isLeaseHeld { try await Task.sleep(for: .milliseconds(50)) }
        #expect(!node.isLeaseHeld)
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
