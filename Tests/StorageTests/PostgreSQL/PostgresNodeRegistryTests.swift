import Kernel
import Operations
import PostgresServer
import StoreContract
import Testing

@testable import Storage

/// The list of daemons that operators see, and draining one of them.
struct PostgresNodeRegistryTests {
    private let test: TestPostgresDatabase
    private let database: PostgresDatabase
    private let unitOfWork: PostgresUnitOfWork
    private let registry: PostgresNodeRegistry

    init() async throws {
        test = try await PostgresServer.shared.migratedDatabase()
        database = PostgresDatabase.connect(test.options, environment: .tests)
        unitOfWork = PostgresUnitOfWork(database)
        registry = PostgresNodeRegistry(database)
    }

    private func join(_ config: String = "a", isServing: Bool = true) throws -> PostgresMembership {
        let node = try PostgresMembership(
            test.options,
            environment: .tests,
            description: NodeDescription(version: "0.1.0", config: config, encryptionKey: "k"),
            renews: false
        ) { _ in }
        if isServing { node.noteServing() }
        node.renew()
        return node
    }

    @discardableResult
    private func drain(_ name: NodeName, _ isDraining: Bool = true, isLastAllowed: Bool = false) async throws -> Bool {
        try await unitOfWork.run { [registry] transaction in
            try registry.setDraining(isDraining, of: name, isLastAllowed: isLastAllowed, in: transaction)
        }
    }

    private func insert(_ numbers: ClosedRange<UInt64>, by slot: Int) async throws {
        let store = SQLOperationStore(database)
        try await unitOfWork.run { transaction in
            for number in numbers {
                var draft = OperationSample.draft(number, state: .created)
                draft.writer = NodeName(slot: slot)
                try store.insert(draft.operation, in: transaction)
            }
        }
    }

    @Test func `each daemon is listed with its lease, what it says of itself, and its live operations`() async throws {
        defer { database.close() }
        let (first, second) = (try join(), try join("b", isServing: false))
        try await insert(1...3, by: 0)
        try await insert(4...4, by: 1)
        try await test.run(
            "UPDATE operations SET state = 'failed', failure = 'expired', ended_at = 5 WHERE node = 'node-1'"
        )
        try await test.run("INSERT INTO nodes VALUES ('other', '', '', '', '', 0, NULL, 0, 1, NULL)")
        let nodes = try await registry.list()
        #expect(nodes.map(\.name) == [first.node, second.node], "a name of no version of this program is passed over")
        #expect(nodes.map(\.description.config) == ["a", "b"] && nodes.map(\.liveOperations) == [3, 0])
        #expect(nodes[0].servingSince != nil && nodes[1].servingSince == nil)
        #expect(nodes.allSatisfy(\.isLive) && nodes.leader == .first)
        for node in nodes {
            guard case .held(let left) = node.lease else { throw NodeError.stopped }
            #expect(left <= PostgresNodes.lease)
        }
        second.close()
        try await test.run(
            "UPDATE nodes SET lease_until = lease_until - 60000, adopted_by = 'node-1' WHERE name = 'local'"
        )
        let later = try await registry.list()
        #expect(later.map(\.isLive) == [false, false] && later.leader == nil)
        #expect(later[0].adopter == NodeName(slot: 1) && later[1].lease == .ended)
        guard case .over(let time) = later[0].lease else { throw NodeError.notFound }
        #expect(time > .seconds(50) && time < .seconds(300))
        first.close()
    }

    @Test func `a drained daemon reads it with its next renewal, keeps its lease, and is not drained after a restart`()
        async throws
    {
        defer { database.close() }
        let (first, second) = (try join(), try join())
        #expect(try await drain(first.node))
        #expect(try await !drain(first.node), "it is no change")
        for node in [first, second] { node.renew() }
        #expect(first.peers.isDraining && !second.peers.isDraining && first.isLeaseHeld)
        #expect(try await registry.list().map(\.isServing) == [false, true])
        try await drain(first.node, false)
        first.renew()
        #expect(!first.peers.isDraining)
        try await drain(first.node)
        first.close()
        let again = try join()
        #expect(again.node == .first && !again.peers.isDraining)
        again.close()
        second.close()
    }

    @Test func `the last daemon that serves, and one that does not run, are refused and left as they were`()
        async throws
    {
        defer { database.close() }
        let (first, second) = (try join(), try join(isServing: false))
        await #expect(throws: NodeError.last) {
            try await drain(first.node)
        }
        second.close()
        await #expect(throws: NodeError.stopped) {
            try await drain(second.node, isLastAllowed: true)
        }
        await #expect(throws: NodeError.notFound) {
            try await drain(NodeName(slot: 7), isLastAllowed: true)
        }
        #expect(try await registry.list().map(\.isDraining) == [false, false])
        try await drain(first.node, isLastAllowed: true)
        #expect(try await registry.list().map(\.isDraining) == [true, false])
        first.close()
    }

    @Test func `daemons that are drained in the same moment leave one that serves`() async throws {
        defer { database.close() }
        let nodes = [try join(), try join(), try join()]
        for _ in 0..<20 {
            // The leases outlast the test on a machine that is busy for more than their three seconds.
            try await test.run("UPDATE nodes SET is_draining = 0, lease_until = lease_until + 60000")
            await withTaskGroup(of: Void.self) { group in
                for node in nodes {
                    group.addTask { _ = try? await drain(node.node) }
                }
            }
            #expect(try await registry.list().count { !$0.isDraining } == 1)
        }
        for node in nodes { node.close() }
    }
}
