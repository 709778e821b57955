import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite struct OwnersViewTests {
    private static let owner = Disowner(account: OperationSample.account, device: nil)

    @Test func `a concurrent collection and denial leave no open session`() async throws {
        for _ in 0..<20 {
            let harness = Harness()
            let login = try await harness.approved()
            async let collected = harness.poll(login)
            async let denied = harness.service.disown(login.begun.operation.id, by: Self.owner)
            _ = try await (collected, denied)
            let open = harness.disk.tables.sessions.values.filter { !$0.isRevoked }
            #expect(open.isEmpty)
            #expect(try harness.state(of: login).isTerminal)
            #expect(try await harness.poll(login).grant == nil, "and nothing is handed out again")
        }
    }

    @Test(arguments: [InjectedFault.beforeCommit, .afterCommit])
    func `a denial whose write reported a fault can be said again`(_ fault: InjectedFault) async throws {
        let harness = Harness()
        let login = try await harness.approved()
        #expect(try await harness.poll(login).grant != nil)
        harness.disk.failNextUnit(fault)
        await #expect(throws: StoreError.self) {
            _ = try await harness.service.disown(login.begun.operation.id, by: Self.owner)
        }
        let view = try #require(try await harness.service.disown(login.begun.operation.id, by: Self.owner))
        #expect(view.operation.state.name == .closed)
        #expect(harness.disk.tables.sessions.values.map(\.isRevoked) == [true])
        #expect(harness.environment(of: login).count { $0 == .disowned } == 1)
    }

    @Test func `attack: another account that disowns a login gets nothing and ends no session`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        #expect(try await harness.poll(login).grant != nil)
        let other = Disowner(account: AccountID(UUIDBits(high: 7, low: 7)), device: nil)
        #expect(try await harness.service.disown(login.begun.operation.id, by: other) == nil)
        #expect(harness.disk.tables.sessions.values.map(\.isRevoked) == [false])
    }

    @Test func `a disowned login ends its session and leaves the face in force`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        #expect(try await harness.poll(login).grant != nil)
        _ = try await harness.service.disown(login.begun.operation.id, by: Self.owner)
        #expect(harness.disk.tables.sessions.values.map(\.isRevoked) == [true])
        #expect(harness.disk.tables.people[OperationSample.account]?.isEnrolled == true)
    }

    @Test func `an owner sees what is live and what ended, each once`() async throws {
        let harness = Harness()
        let first = try await harness.approved()
        _ = try await harness.poll(first)
        await harness.pass(.seconds(1))
        let second = try await harness.begin()
        let seen = try await harness.service.owned(by: OperationSample.account, limit: 9).operations
        #expect(seen.map(\.operation.id) == [second, first].map(\.begun.operation.id))
        #expect(seen.map(\.isSessionOpen) == [nil, true])
        _ = try await harness.service.acknowledge(first.publicID, first.rightful)
        #expect(
            try await harness.service.owned(by: OperationSample.account, limit: 9).operations.map(\.isSessionOpen) == [
                nil, true,
            ]
        )
        #expect(try await harness.service.owned(by: OperationSample.account, limit: 1).operations.count == 1)
    }
}
