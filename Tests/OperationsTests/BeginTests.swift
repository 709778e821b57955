import Kernel
import MemoryStore
import Operations
import StoreContract
import Synchronization
import Testing

// T-209
@Suite struct BeginTests {
    @Test func `a start is durable, unbound and names its secrets by digest alone`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let stored = try harness.stored(login)
        #expect(stored.state == .created && stored.seq == 1 && !stored.credentials.isBound)
        #expect(stored.request.account == Harness.person.account)
        #expect(stored.credentials.publicID == Digest256(sha256: login.begun.publicID))
        #expect(stored.credentials.ticket == Digest256(sha256: login.ticket))
        #expect(stored.credentials.bindingCookie == Digest256(sha256: login.begun.bindingCookie.expose()))
        #expect(stored.credentials.codeChallenge == Digest256(sha256: "verifier"))
        #expect(stored.validity.deadline == stored.validity.createdAt + .seconds(180))
        #expect(harness.service.cache.card(login.publicID)?.operation == stored)
    }

    @Test func `no provider is asked before somebody opens the link`() async throws {
        let harness = Harness()
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        let login = try await harness.begin()
        _ = try await harness.poll(login)
        await harness.pass(.seconds(100))
        #expect(harness.provider.calls.isEmpty)
        #expect(try await harness.poll(login).hint == .created)
    }

    struct Outsider: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let email: String
        let initiators: ClientPolicy.Initiators
        let deviceCookie: Digest256?
        let isReal: Bool
    }

    static let outsiders = [
        Outsider(
            testDescription: "an unknown address",
            email: "nobody@example.com",
            initiators: .anyone,
            deviceCookie: nil,
            isReal: false
        ),
        Outsider(
            testDescription: "an unknown device",
            email: Harness.person.email,
            initiators: .knownDevice,
            deviceCookie: Digest256(sha256: "another device"),
            isReal: false
        ),
        Outsider(
            testDescription: "no device",
            email: Harness.person.email,
            initiators: .knownDevice,
            deviceCookie: nil,
            isReal: false
        ),
        Outsider(
            testDescription: "a linked device",
            email: Harness.person.email,
            initiators: .knownDevice,
            deviceCookie: Harness.deviceCookie,
            isReal: true
        ),
        Outsider(
            testDescription: "anyone",
            email: "Robin@Example.com",
            initiators: .anyone,
            deviceCookie: nil,
            isReal: true
        ),
    ]

    // T-013
    @Test(arguments: outsiders)
    func `a decoy takes the same units, reads and writes as a real operation`(_ outsider: Outsider) async throws {
        let harness = Harness()
        let before = harness.disk.tally
        let login = try await harness.begin(
            email: outsider.email,
            policy: OperationSample.policy(initiators: outsider.initiators),
            deviceCookie: outsider.deviceCookie
        )
        #expect(login.begun.operation.isDecoy != outsider.isReal)
        var expected = StoreTally()
        expected.units = 1
        expected.lookups = 1
        expected.writes = 1
        #expect(harness.disk.tally - before == expected)
        #expect(try await harness.poll(login) == .pending(hint: .created, seq: 1, timeLeft: .seconds(180)))
        await harness.pass(.seconds(181))
        #expect(try await harness.poll(login) == .failed(.expired, seq: 2))
        #expect(harness.environment(of: login).isEmpty, "what nobody opened is no one's history")
    }

    @Test func `a linked device is remembered with the operation`() async throws {
        let harness = Harness()
        let login = try await harness.begin(deviceCookie: Harness.deviceCookie)
        #expect(login.begun.operation.request.device == OperationSample.device)
    }

    // T-260
    @Test func `a begin whose write fails leaves no operation in the cache or the database`() async throws {
        let harness = Harness()
        harness.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { _ = try await harness.begin() }
        #expect(harness.service.cache.count == 0 && harness.disk.tables.operations.isEmpty)
        await harness.pass(.seconds(200))
        #expect(harness.watcher.nextDue == nil, "there is nothing to follow")
    }

    @Test func `a begin whose write succeeded with an error expires at its deadline`() async throws {
        let harness = Harness()
        harness.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) { _ = try await harness.begin() }
        #expect(harness.service.cache.count == 0, "nobody was given its ids")
        let row = try #require(harness.disk.tables.operations.values.first)
        #expect(row.state == .created)
        await harness.pass(.seconds(180))
        let ended = try #require(harness.disk.tables.operations[row.id])
        #expect(ended.state == .failed(.expired, at: row.validity.deadline))
        #expect(harness.disk.tables.auditLog.isEmpty, "what nobody opened is no one's history")
        await harness.pass(.seconds(601))
        #expect(harness.service.cache.count == 0 && harness.watcher.nextDue == nil)
    }

    @Test func `begins with an uncertain commit expire at their deadline, also beyond ten thousand`() async throws {
        let harness = Harness()
        // As many as are remembered one by one, of which none is there; then some that are.
        for number in 0..<10_003 {
            harness.disk.failNextUnit(number < 10_000 ? .beforeCommit : .afterCommit)
            await #expect(throws: StoreError.self) { _ = try await harness.begin() }
        }
        #expect(harness.disk.tables.operations.values.map(\.state) == [.created, .created, .created])
        await harness.pass(.seconds(190))
        #expect(harness.disk.tables.operations.values.map(\.state.name) == [.failed, .failed, .failed])
        await harness.pass(.seconds(610))
        #expect(harness.service.cache.count == 0 && harness.watcher.nextDue == nil)
    }

    @Test func `an uncertain begin is looked up again after the store's outage and then expires`() async throws {
        let outage = Outage()
        let disk = MemoryDisk(people: [Harness.person], onStep: { step in outage.fault(at: step) })
        let harness = Harness(disk: disk)
        disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) { _ = try await harness.begin() }
        outage.isOn.withLock { $0 = true }
        await harness.pass(.seconds(190))
        #expect(disk.tables.operations.values.first?.state == .created)
        outage.isOn.withLock { $0 = false }
        await harness.pass(.seconds(30))
        #expect(disk.tables.operations.values.first?.state.name == .failed)
    }
}

/// A store that can be switched off.
private final class Outage: Sendable {
    let isOn = Mutex(false)

    func fault(at step: StoreStep) -> InjectedFault? { isOn.withLock { $0 } ? .beforeCommit : nil }
}
