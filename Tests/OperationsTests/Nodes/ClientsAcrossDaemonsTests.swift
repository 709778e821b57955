import Kernel
import MemoryStore
import Testing

@testable import Operations

/// Several engines over one store: what a client that waits at one learns of another's work.
struct ClientsAcrossDaemonsTests {
    private let first = Harness(nodes: ScriptedNodes(0))
    private let second: Harness

    init() { second = first.beside(as: ScriptedNodes(1)) }

    @Test func `a daemon asks no provider about an operation that another one follows`() async throws {
        let login = try await first.begin()
        try await first.open(login)
        _ = try await second.poll(login)
        await second.pass(.seconds(30))
        #expect(first.provider.checkCount == 0)
        await first.pass(.seconds(1))
        #expect(first.provider.checkCount > 0)
    }

    @Test func `a daemon whose client waits sees a change that another one wrote within the time of two readings`()
        async throws
    {
        let login = try await first.begin()
        _ = try await second.poll(login)
        try await first.open(login)
        for _ in 0..<2 {
            _ = try await second.poll(login)
            await second.pass(.milliseconds(2300))
        }
        #expect(try await second.poll(login).hint == .userInProvider)
    }

    @Test func `a change that another daemon announces wakes a waiting client at once`() async throws {
        let login = try await first.begin()
        _ = try await second.poll(login)
        let card = try #require(second.service.cache.card(login.publicID))
        let turn = second.service.turn(card.operation, until: second.time.now + .seconds(30), as: login.rightful)
        let waiting = Task { [second] in await second.service.cache.wait(turn) }
        while second.service.cache.parkedCount == 0 { await Task.yield() }
        try await first.open(login)
        for message in first.feed.take() { await second.service.take(.message(message)) }
        // Time stands still: only the change can have woken it.
        #expect(await waiting.value)
        #expect(second.service.peek(login.publicID, login.rightful)?.hint == .userInProvider)
    }

    @Test func `a parked client keeps the provider being asked every second on the daemon that follows the scan`()
        async throws
    {
        let login = try await first.begin()
        try await first.open(login)
        _ = try await second.poll(login)
        let card = try #require(second.service.cache.card(login.publicID))
        let turn = second.service.turn(card.operation, until: second.time.now + .seconds(60), as: login.rightful)
        let waiting = Task { [second] in await second.service.cache.wait(turn) }
        while second.service.cache.parkedCount == 0 { await Task.yield() }
        for _ in 0..<25 {
            await second.pass(.seconds(1))
            for message in second.feed.take() { await first.service.take(.message(message)) }
            await first.pass(.zero)
        }
        // Every five seconds without a client that is known to wait.
        #expect(first.provider.checkCount >= 12)
        second.service.cache.wakeAll()
        _ = await waiting.value
    }

    @Test func `a client that waits on another daemon makes the provider be asked often, and says so now and then`()
        async throws
    {
        let login = try await first.begin()
        try await first.open(login)
        for _ in 0..<20 {
            _ = try await second.poll(login)
            for message in second.feed.take() { await first.service.take(.message(message)) }
            await first.pass(.seconds(1))
        }
        // Every second, and not every five as without a client.
        #expect(first.provider.checkCount >= 15)
        for _ in 0..<30 {
            _ = try await second.poll(login)
            second.time.advance(by: .milliseconds(100))
        }
        #expect((1...2).contains(second.feed.take().count))
    }

    @Test func `a client on another daemon is told that the provider does not answer, and that it does again`()
        async throws
    {
        let login = try await first.begin()
        try await first.open(login)
        first.provider.fail(with: .unavailable(cause: "down"))
        await first.pass(.seconds(6))
        #expect(try await first.poll(login).hint == .providerDegraded)
        let told = try await hints(login, for: 8)
        #expect(told.first == .userInProvider && told.dropFirst().allSatisfy { $0 == .providerDegraded }, "\(told)")
        first.provider.fail(with: nil)
        await first.pass(.seconds(6))
        #expect(try await first.poll(login).hint == .userInProvider)
        let later = try await hints(login, for: 15)
        #expect(later.last == .userInProvider, "\(later)")
    }

    /// Polls each second at the second daemon, whose messages and answers arrive after each poll.
    private func hints(_ login: Login, for seconds: Int) async throws -> [PendingHint?] {
        var hints: [PendingHint?] = []
        for _ in 0..<seconds {
            hints.append(try await second.poll(login).hint)
            for message in second.feed.take() { await first.service.take(.message(message)) }
            for message in first.feed.take() { await second.service.take(.message(message)) }
            await second.pass(.seconds(1))
        }
        return hints
    }
}
