import Kernel
import MemoryStore
import Operations
import StoreContract
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
        #expect(bench.desk.board.card(login.publicID)?.operation == stored)
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
        #expect(bench.facts(of: login).isEmpty, "what nobody opened is no one's history")
    }

    @Test func `a linked device is remembered with the operation`() async throws {
        let bench = Bench()
        let login = try await bench.begin(deviceCookie: Bench.deviceCookie)
        #expect(login.begun.operation.device == OperationSample.device)
    }

    @Test func `a store that fails gives no operation`() async throws {
        let bench = Bench()
        bench.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreFailure.self) { _ = try await bench.begin() }
        #expect(bench.desk.board.count == 0 && bench.disk.tables.operations.isEmpty)
    }
}
