import Kernel
import MemoryStore
import Operations
import StoreContract
import Synchronization
import Testing

@Suite struct RecoveryTests {
    @Test func `everything live comes back where it stood`() async throws {
        let harness = Harness()
        let created = try await harness.begin()
        let decoy = try await harness.begin(email: "nobody@example.com")
        let approved = try await harness.approved()
        let redeemed = try await harness.approved()
        let grant = try await harness.poll(redeemed).grant
        let pending = try await harness.begin()
        let reference = try await harness.open(pending)
        let ended = try await harness.begin()
        _ = try await harness.service.cancel(ended.publicID, ended.rightful)

        let next = try await harness.restarted()
        #expect(next.service.cache.count == 6)
        #expect(try await next.poll(created).hint == .created)
        #expect(try await next.poll(decoy).hint == .created)
        #expect(try await next.poll(approved).grant != nil)
        #expect(try await next.poll(redeemed).grant == grant)
        #expect(try await next.poll(ended).failure == .canceled)
        #expect(next.service.isOpenable(ticket: created.ticket))
        next.provider.answer(reference, .approved)
        await next.pass(.seconds(1))
        #expect(try await next.poll(pending).grant != nil, "the first check comes soon")
        #expect(next.sessionCount == 3)
    }

    @Test func `operations whose time ended while the daemon was down are expired or delivered at the start`()
        async throws
    {
        let harness = Harness()
        let created = try await harness.begin()
        let approved = try await harness.approved()
        let redeemed = try await harness.approved()
        _ = try await harness.poll(redeemed)
        harness.time.advance(by: .seconds(200))
        let next = try await harness.restarted()
        #expect(try await next.poll(approved).failure == .expired)
        await next.pass(.zero)
        #expect(try await next.poll(created).failure == .expired)
        #expect(try await next.poll(redeemed).isDelivered)
        #expect(try next.state(of: redeemed).name == .closed)
    }

    // T-262
    @Test func `a wall clock that was set back over a restart gives no operation more than its full lifetime`()
        async throws
    {
        let harness = Harness()
        let created = try await harness.begin()
        let approved = try await harness.approved()
        let redeemed = try await harness.approved()
        _ = try await harness.poll(redeemed)
        let ended = try await harness.begin()
        _ = try await harness.service.cancel(ended.publicID, ended.rightful)
        harness.time.stepWall(by: .seconds(-86_400))
        let next = try await harness.restarted()
        #expect(try await next.poll(created) == .pending(hint: .created, seq: 1, timeLeft: .seconds(180)))
        await next.pass(.seconds(60))
        #expect(try next.state(of: approved).name == .failed)
        await next.pass(.seconds(60))
        #expect(try next.state(of: redeemed).name == .closed)
        await next.pass(.seconds(60))
        #expect(try next.state(of: created).name == .failed)
        await next.pass(.seconds(600))
        #expect(next.service.cache.count == 0)
    }

    // T-262
    @Test func `an end at the deadline stays one, also for outsiders, when the wall clock is set back over a restart`()
        async throws
    {
        let harness = Harness()
        let login = try await harness.begin()
        let cancelled = try await harness.begin()
        _ = try await harness.service.cancel(cancelled.publicID, cancelled.rightful)
        await harness.pass(.seconds(180))
        let outsider = Login.bare(from: "elsewhere")
        #expect(try await harness.poll(login, outsider).failure == .expired)
        harness.time.stepWall(by: .seconds(-3600))
        let next = try await harness.restarted()
        #expect(try await next.poll(login, outsider).failure == .expired)
        #expect(try await next.poll(login).failure == .expired)
        await next.pass(.seconds(601))
        #expect(next.service.cache.count == 0)
        for one in [login, cancelled] {
            #expect(try await next.poll(one, outsider).failure == .expired, "also when it has left the cache")
        }
        #expect(try await next.poll(cancelled).failure == .canceled)
    }

    // T-262
    @Test func `a scan that the provider does not know is not borne with for longer because the clock was set back`()
        async throws
    {
        let harness = Harness()
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        harness.time.stepWall(by: .seconds(-3600))
        let next = try await harness.restarted()
        next.provider.answer(reference, .unknownReference)
        await next.pass(.seconds(14))
        #expect(try next.state(of: login).name == .pending)
        await next.pass(.seconds(7))
        #expect(try await next.poll(login).failure == .providerError)
    }

    @Test func `more than one page comes back`() async throws {
        let disk = MemoryDisk()
        let storage = disk.open()
        let operations = (1...2100).map { number in
            var draft = OperationSample.draft(UInt64(number))
            draft.account = nil
            return draft.operation
        }
        for operation in operations {
            try await storage.unitOfWork.run { try storage.operations.insert(operation, in: $0) }
        }
        let harness = Harness(disk: disk)
        #expect(try await harness.service.recover() == 2100)
        #expect(harness.service.cache.count == 2100)
    }

    /// Where in the course of a login the daemon dies.
    struct Death: Sendable, CustomTestStringConvertible {
        let step: Int
        let isAfterCommit: Bool
        var testDescription: String { "at wait \(step), \(isAfterCommit ? "after" : "before") the commit" }
    }

    static let deaths = (1...9).flatMap { step in [false, true].map { Death(step: step, isAfterCommit: $0) } }

    @Test(arguments: deaths)
    func `a login survives a crash at any wait, with one session`(_ death: Death) async throws {
        let steps = Mutex(0)
        let disk = MemoryDisk(people: [Harness.person]) { step in
            let count = steps.withLock { count in
                count += 1
                return count
            }
            // A read has no commit; there, dying before is all there is.
            return count == death.step ? (death.isAfterCommit && step == .unit ? .afterCommit : .beforeCommit) : nil
        }
        var harness = Harness(disk: disk)
        var login: Login?
        var grants: [Grant] = []
        var deaths = 0
        while deaths < 3 {
            do {
                let present = login == nil ? try await harness.begin() : login
                login = present
                let current = try #require(present)
                if [.created, .opened, .pending].contains(try harness.state(of: current).name) {
                    harness.provider.answer(try await harness.open(current), .approved)
                }
                // A watcher dies with its daemon: what it met is a fault of the store like any other.
                await harness.pass(.seconds(6))
                if let grant = try await harness.poll(current).grant { grants.append(grant) }
                _ = try await harness.service.acknowledge(current.publicID, current.rightful)
                if try harness.state(of: current).isTerminal { break }
            } catch is StoreError {
                deaths += 1
                harness = try await harness.restarted()
            }
        }
        let final = try #require(login)
        #expect(try harness.state(of: final).name == .closed)
        #expect(harness.sessionCount == 1)
        let opened = harness.disk.tables.sessions.values.map(\.grant.session)
        #expect(grants.allSatisfy { opened == [$0.session] })
        #expect(harness.environment(of: final).filter { $0 == .redeemed }.count == 1)
    }
}
