import Kernel
import MemoryStore
import Operations
import StoreContract
import Synchronization
import Testing

@Suite struct BeginTests {
    @Test func `a start is durable, unbound and names its secrets by digest alone`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let stored = try bench.stored(login)
        #expect(stored.state == .created && stored.seq == 1 && !stored.isBound)
        #expect(stored.account == Bench.person.account)
        #expect(stored.publicID == Digest256(sha256: login.begun.publicID))
        #expect(stored.ticket == Digest256(sha256: login.ticket))
        #expect(stored.bindingCookie == Digest256(sha256: login.begun.bindingCookie.expose()))
        #expect(stored.codeChallenge == Digest256(sha256: "verifier"))
        #expect(stored.deadline == stored.createdAt + .seconds(180))
        #expect(bench.service.cache.card(login.publicID)?.operation == stored)
    }

    @Test func `no provider is asked before somebody opens the link`() async throws {
        let bench = Bench()
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        let login = try await bench.begin()
        _ = try await bench.poll(login)
        await bench.pass(.seconds(100))
        #expect(bench.provider.calls.isEmpty)
        #expect(try await bench.poll(login).hint == .created)
    }

    struct Stranger: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let email: String
        let initiators: ClientPolicy.Initiators
        let deviceCookie: Digest256?
        let isReal: Bool
    }

    static let strangers = [
        Stranger(
            testDescription: "an unknown address",
            email: "nobody@example.com",
            initiators: .anyone,
            deviceCookie: nil,
            isReal: false
        ),
        Stranger(
            testDescription: "an unknown device",
            email: Bench.person.email,
            initiators: .knownDevice,
            deviceCookie: Digest256(sha256: "another device"),
            isReal: false
        ),
        Stranger(
            testDescription: "no device",
            email: Bench.person.email,
            initiators: .knownDevice,
            deviceCookie: nil,
            isReal: false
        ),
        Stranger(
            testDescription: "a linked device",
            email: Bench.person.email,
            initiators: .knownDevice,
            deviceCookie: Bench.deviceCookie,
            isReal: true
        ),
        Stranger(
            testDescription: "anyone",
            email: "Robin@Example.com",
            initiators: .anyone,
            deviceCookie: nil,
            isReal: true
        ),
    ]

    @Test(arguments: strangers)
    func `a decoy takes the same units, reads and writes as a real operation`(_ stranger: Stranger) async throws {
        let bench = Bench()
        let before = bench.disk.tally
        let login = try await bench.begin(
            email: stranger.email,
            policy: OperationSample.policy(initiators: stranger.initiators),
            deviceCookie: stranger.deviceCookie
        )
        #expect(login.begun.operation.isDecoy != stranger.isReal)
        var expected = StoreTally()
        expected.units = 1
        expected.lookups = 1
        expected.writes = 1
        #expect(bench.disk.tally - before == expected)
        #expect(try await bench.poll(login) == .pending(hint: .created, seq: 1, timeLeft: .seconds(180)))
        await bench.pass(.seconds(181))
        #expect(try await bench.poll(login) == .failed(.expired, seq: 2))
        #expect(bench.environment(of: login).isEmpty, "what nobody opened is no one's history")
    }

    @Test func `a linked device is remembered with the operation`() async throws {
        let bench = Bench()
        let login = try await bench.begin(deviceCookie: Bench.deviceCookie)
        #expect(login.begun.operation.device == OperationSample.device)
    }

    @Test func `a store that fails gives no operation`() async throws {
        let bench = Bench()
        bench.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { _ = try await bench.begin() }
        #expect(bench.service.cache.count == 0 && bench.disk.tables.operations.isEmpty)
        await bench.pass(.seconds(200))
        #expect(bench.watcher.nextDue == nil, "there is nothing to follow")
    }

    @Test func `a start that was durable though it reported a fault ends at its deadline`() async throws {
        let bench = Bench()
        bench.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) { _ = try await bench.begin() }
        #expect(bench.service.cache.count == 0, "nobody was given its ids")
        let row = try #require(bench.disk.tables.operations.values.first)
        #expect(row.state == .created)
        await bench.pass(.seconds(180))
        let ended = try #require(bench.disk.tables.operations[row.id])
        #expect(ended.state == .failed(.expired, at: row.deadline))
        #expect(bench.disk.tables.auditLog.isEmpty, "what nobody opened is no one's history")
        await bench.pass(.seconds(601))
        #expect(bench.service.cache.count == 0 && bench.watcher.nextDue == nil)
    }

    @Test func `doubtful starts end at their deadline however many there are`() async throws {
        let bench = Bench()
        // As many as are remembered one by one, of which none is there; then some that are.
        for number in 0..<10_003 {
            bench.disk.failNextUnit(number < 10_000 ? .beforeCommit : .afterCommit)
            await #expect(throws: StoreError.self) { _ = try await bench.begin() }
        }
        #expect(bench.disk.tables.operations.values.map(\.state) == [.created, .created, .created])
        await bench.pass(.seconds(190))
        #expect(bench.disk.tables.operations.values.map(\.state.name) == [.failed, .failed, .failed])
        await bench.pass(.seconds(610))
        #expect(bench.service.cache.count == 0 && bench.watcher.nextDue == nil)
    }

    @Test func `a doubtful start that can't be looked up is looked up later`() async throws {
        let outage = Outage()
        let disk = MemoryDisk(people: [Bench.person], onStep: { step in outage.fault(at: step) })
        let bench = Bench(disk: disk)
        disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) { _ = try await bench.begin() }
        outage.isOn.withLock { $0 = true }
        await bench.pass(.seconds(190))
        #expect(disk.tables.operations.values.first?.state == .created)
        outage.isOn.withLock { $0 = false }
        await bench.pass(.seconds(30))
        #expect(disk.tables.operations.values.first?.state.name == .failed)
    }
}

/// A store that can be switched off.
private final class Outage: Sendable {
    let isOn = Mutex(false)

    func fault(at step: StoreStep) -> InjectedFault? { isOn.withLock { $0 } ? .beforeCommit : nil }
}
