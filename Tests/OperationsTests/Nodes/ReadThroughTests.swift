import Kernel
import MemoryStore
import Testing

@testable import Operations

/// Several engines over one store: what one reads of another's operations, and what that costs.
struct ReadThroughTests {
    private let first = Harness(nodes: ScriptedNodes(0))
    private let second: Harness

    init() { second = first.beside(as: ScriptedNodes(1)) }

    @Test func `a login that began on one daemon is polled on another, and costs it one read`() async throws {
        let login = try await first.begin()
        #expect(try await second.poll(login) == .pending(hint: .created, seq: 1, timeLeft: .seconds(180)))
        let reads = first.disk.tally.reads
        for _ in 0..<5 { _ = try await second.poll(login) }
        #expect(first.disk.tally.reads == reads)
        // The daemon that began it still follows it.
        #expect(try first.stored(login).version == Operation.Version(seq: 1, writer: NodeName(slot: 0)))
    }

    @Test func `a change that could not be read is read again within a second`() async throws {
        let login = try await first.begin()
        _ = try await first.poll(login)
        try await second.open(login)
        first.disk.isDown = true
        for message in second.feed.take() { await first.service.take(.message(message)) }
        first.disk.isDown = false
        #expect(first.service.cache.card(login.publicID)?.operation.state.name == .created)
        // The one that began it would look at it next at its deadline.
        await first.pass(.seconds(1))
        #expect(first.service.cache.card(login.publicID)?.operation.state.name == .pending)
    }

    @Test func `a change that could not be read is read for the client that polls`() async throws {
        let login = try await first.begin()
        _ = try await first.poll(login)
        try await second.open(login)
        first.disk.isDown = true
        for message in second.feed.take() { await first.service.take(.message(message)) }
        first.disk.isDown = false
        #expect(try await first.poll(login).hint == .userInProvider)
    }

    @Test func `a message about an unknown or an older version reads nothing`() async throws {
        let login = try await first.begin()
        _ = try await second.poll(login)
        let reads = second.disk.tally.reads
        await second.service.take(.message(.changed(publicID: login.publicID, seq: 1)))
        await second.service.take(.message(.changed(publicID: Digest256(sha256: "unknown"), seq: 9)))
        await second.service.take(.message(.waitedFor(publicID: Digest256(sha256: "unknown"))))
        await second.service.take(.message(.waitedFor(publicID: login.publicID)))
        #expect(second.disk.tally.reads == reads)
    }

    @Test func `a long poll of a login that ended long ago costs one read`() async throws {
        let login = try await first.begin()
        _ = try await first.service.cancel(login.publicID, login.rightful)
        second.time.advance(by: OperationCache.terminalStay)
        let reads = second.disk.tally.reads
        let loaded = try await second.service.load(login.begun.publicID)
        #expect(loaded != nil && second.service.cache.card(login.publicID) == nil)
        let view = try await second.service.poll(login.publicID, as: login.rightful, after: loaded) {
            (login.rightful, nil)
        }
        #expect(view == .failed(.canceled, seq: 2))
        #expect(second.disk.tally.reads == reads + 1)
    }

    @Test func `an operation of another daemon that nobody asks for leaves the memory`() async throws {
        let login = try await first.begin()
        _ = try await second.poll(login)
        #expect(second.service.cache.count == 1)
        await second.pass(.seconds(90))
        #expect(second.service.cache.count == 0)
        #expect(second.service.plannedChecks == 0)
    }

    // T-272
    @Test(arguments: ["", "no ticket", String(repeating: "A", count: 43)])
    func `attack: a guessed ticket or id costs no read`(_ ticket: String) async throws {
        let reads = second.disk.tally.reads
        try await second.service.load(ticket: ticket)
        try await second.service.load(UUIDBits(high: 0x4000, low: 1 << 63))
        #expect(second.disk.tally.reads == reads)
        let login = try await first.begin()
        try await second.service.load(login.begun.publicID)
        #expect(second.disk.tally.reads == reads + 1)
    }

    // T-008
    @Test func `attack: a login that failed elsewhere looks unopened to the bare id, as it does there`() async throws {
        let login = try await first.begin()
        _ = try await first.service.cancel(login.publicID, login.rightful)
        let stranger = Caller(fingerprint: Digest256(sha256: "another machine"))
        let there = try await first.poll(login, stranger)
        #expect(try await second.poll(login, stranger) == there)
        #expect(try await second.poll(login) == .failed(.canceled, seq: 2))
        let again = try await second.restarted()
        #expect(try await again.poll(login, stranger) == there)
    }

    @Test func `a start without other daemons reads no live operation of another`() async throws {
        let login = try await first.begin()
        #expect(try await second.service.recover() == 0)
        let other = try await second.begin()
        let again = try await second.restarted()
        #expect(again.service.cache.card(other.publicID) != nil)
        #expect(again.service.cache.card(login.publicID) == nil)
    }
}
