import Kernel
import MemoryStore
import Testing

@testable import Operations

/// Several engines over one store: one stops, pauses or loses its lease.
struct TakeoverTests {
    private let first = Harness(nodes: ScriptedNodes(0))
    private let second: Harness

    init() { second = first.beside(as: ScriptedNodes(1)) }

    @Test func `a stopped daemon's operations are taken over, and decided`() async throws {
        let login = try await first.begin()
        let scan = try await first.open(login)
        first.provider.answer(scan, .approved)
        // The first one stops here. Its operations are unknown to the second.
        second.nodes?.adopted = [NodeName(slot: 0)]
        #expect(second.service.hasAdoptions)
        await second.service.readAdopted()
        #expect(!second.service.hasAdoptions)
        await second.pass(.seconds(2))
        #expect(try second.stored(login).version.writer == NodeName(slot: 1))
        guard case .completed = try await second.poll(login) else {
            Issue.record("nothing was collected")
            return
        }
        #expect(second.sessionCount == 1)
    }

    @Test func `what a paused daemon writes after it was taken over is followed too`() async throws {
        second.nodes?.adopted = [NodeName(slot: 0)]
        await second.service.readAdopted()
        let login = try await first.begin()
        let scan = try await first.open(login)
        first.nodes?.isLeaseHeld = false
        first.provider.answer(scan, .approved)
        await first.pass(.seconds(3))
        #expect(first.provider.checkCount == 0)
        second.time.advance(by: Adoptions.again)
        #expect(second.service.hasAdoptions)
        await second.service.readAdopted()
        await second.pass(.seconds(2))
        #expect(try second.state(of: login).name == .approved)
    }

    @Test(arguments: [true, false])
    func `what a paused daemon wrote and never announced is told to all, by the one that took it over`(
        isKnown: Bool
    ) async throws {
        let third = first.beside(as: ScriptedNodes(2))
        second.nodes?.adopted = [NodeName(slot: 0)]
        await second.service.readAdopted()
        let login = try await third.begin()
        if isKnown { _ = try await second.poll(login) }
        try await first.open(login)
        second.time.advance(by: Adoptions.again)
        await second.service.readAdopted()
        let messages = second.feed.take().filter { if case .changed = $0 { true } else { false } }
        #expect(messages.count == 1)
        for message in messages { await third.service.take(.message(message)) }
        for daemon in [second, third] {
            #expect(daemon.service.cache.card(login.publicID)?.operation.state.name == .pending)
        }
    }

    @Test func `without its lease a daemon neither asks nor ends, and goes on when it has it again`() async throws {
        let login = try await first.begin()
        try await first.open(login)
        let idle = try await first.begin()
        first.nodes?.isLeaseHeld = false
        await first.pass(.seconds(200))
        #expect(first.provider.checkCount == 0)
        #expect(try first.state(of: idle).name == .created)
        #expect(try first.state(of: login).name == .pending)
        first.nodes?.isLeaseHeld = true
        await first.pass(.seconds(2))
        #expect(try first.state(of: idle).name == .failed)
        #expect(try first.state(of: login).name == .failed)
    }

    @Test func `two daemons that both follow an operation for a moment open one session`() async throws {
        let login = try await first.begin()
        let scan = try await first.open(login)
        second.nodes?.adopted = [NodeName(slot: 0)]
        await second.service.readAdopted()
        first.provider.answer(scan, .approved)
        await first.pass(.seconds(2))
        await second.pass(.seconds(2))
        let views = [try await first.poll(login), try await second.poll(login)]
        #expect(first.sessionCount == 1)
        #expect(views.contains { if case .completed = $0 { true } else { false } })
        #expect(first.environment(of: login).filter { $0 == .approved }.count == 1)
    }

    @Test func `a daemon with another name reads what that name has left, and what it wrote before`() async throws {
        let (own, strange) = (try await second.begin(), try await first.begin())
        _ = try second.stored(own)
        // The first one has stopped in order, and its name is given to the second, whose own was taken over.
        second.nodes?.node = .first
        #expect(second.service.hasAdoptions)
        await second.service.readAdopted()
        await second.pass(.seconds(190))
        #expect(try second.state(of: strange).name == .failed)
        #expect(try second.state(of: own).name == .created, "another daemon follows it")
    }
}
