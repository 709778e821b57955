import FaceProviders
import Kernel
import MemoryStore
import Operations
import Testing

/// How many calls a guard lets through at one time, and how long each may take.
@Suite(.timeLimit(.minutes(10))) struct GuardedSlotsTests {
    @Test func `the calls at one time are divided by the number of daemons, which is read at each call`() async {
        let harness = Guarded(Guarded.policy(queued: 100), checkConcurrency: 9)
        #expect(harness.guarded.checkConcurrency == 9)
        harness.peers.count = 3
        #expect(harness.guarded.checkConcurrency == 3)
        harness.provider.hold()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { #expect(await harness.check() == .success(.approved)) } }
            await until { harness.provider.heldCount == 3 }
            for _ in 0..<100 { await Task.yield() }
            #expect(harness.provider.mostAtOnce == 3)
            harness.provider.letGo()
        }
        #expect(harness.provider.mostAtOnce == 3 && harness.provider.calls == 20)
        harness.peers.count = 100
        #expect(harness.guarded.checkConcurrency == 1, "each daemon has at least one")
        #expect(await harness.check() == .success(.approved))
        harness.peers.count = 2
        harness.provider.hold()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { #expect(await harness.begin() == .success(HandedProvider.scan)) } }
            await until { harness.provider.heldCount == 1 }
            for _ in 0..<100 { await Task.yield() }
            #expect(harness.provider.heldCount == 1)
            // The second slot is free from the next call that ends.
            harness.peers.count = 1
            harness.provider.letGo()
        }
        #expect(harness.provider.calls == 41)
    }

    // T-245
    @Test func `checks and starts have places of their own, a line of its length, and the rest is held back`() async {
        let harness = Guarded()
        harness.provider.hold()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<7 {
                group.addTask { if case .failure(.heldBack) = await harness.check() { true } else { false } }
            }
            for _ in 0..<7 {
                group.addTask { if case .failure(.heldBack) = await harness.begin() { true } else { false } }
            }
            var heldBack = 0
            while heldBack < 6, let next = await group.next() { heldBack += next ? 1 : 0 }
            await until { harness.provider.heldCount == 4 }
            #expect(harness.provider.calls == 4)
            harness.provider.letGo()
            for await wasHeldBack in group { #expect(!wasHeldBack) }
        }
        #expect(harness.provider.calls == 8 && harness.provider.mostAtOnce == 4)
        #expect(harness.guarded.circuit == .closed, "the server's own crowd does not count against the provider")
        #expect(await harness.check() == .success(.approved), "all places were given back")
    }

    @Test func `a call that hangs ends in time and counts as a failure`() async {
        let harness = Guarded()
        harness.provider.hold()
        for number in 1...3 {
            async let hanging = harness.check()
            await until { harness.provider.heldCount == 1 }
            harness.time.advance(by: .seconds(20))
            #expect(await hanging == .failure(.unavailable(cause: "the call took too long or was cancelled")))
            #expect(harness.guarded.circuit == (number == 3 ? .open : .closed))
            harness.provider.hold()
        }
    }

    @Test func `a check that its login's deadline cut short counts as no failure`() async {
        let harness = Guarded()
        for (milliseconds, count) in [(1500, 5), (2000, 3)] {
            #expect(harness.guarded.circuit == .closed)
            for _ in 0..<count {
                harness.provider.hold()
                async let hanging = harness.check(within: .milliseconds(milliseconds))
                await until { harness.provider.heldCount == 1 && harness.time.sleeperCount == 1 }
                harness.time.advance(by: .milliseconds(milliseconds))
                #expect(await hanging == .failure(.unavailable(cause: "the call took too long or was cancelled")))
            }
        }
        #expect(harness.guarded.circuit == .open, "as long as a probe: that is a failure")
    }

    @Test func `ending scans that hangs ends in time, takes few places and nobody else's, and opens no circuit`() async
    {
        let harness = Guarded()
        harness.provider.hold()
        await withTaskGroup(of: ProviderError?.self) { group in
            // Four are in progress, two wait, and one is too many.
            for _ in 0..<7 { group.addTask { await harness.cancel() } }
            let first = await group.next() ?? nil
            #expect(first == .heldBack(cause: "too many calls wait for it"))
            await until { harness.provider.heldCount == 4 && harness.time.sleeperCount == 6 }
            #expect(harness.provider.calls == 4)
            async let check = harness.check()
            await until { harness.provider.heldCount == 5 }
            harness.time.advance(by: .seconds(20))
            var ended = 0
            for await _ in group { ended += 1 }
            #expect(ended == 6)
            _ = await check
        }
        #expect(harness.guarded.circuit == .closed)
        #expect(await harness.cancel() == nil, "all places were given back")
        await harness.open()
        #expect(await harness.cancel() == .heldBack(cause: "its circuit is open"))
    }

    @Test func `a call that was given up before it was sent is known not to have been`() async {
        let harness = Guarded()
        harness.provider.hold()
        harness.provider.fall(silent: .unreached(cause: "waiting for a token"))
        async let start = harness.begin()
        await until { harness.provider.heldCount == 1 }
        harness.time.advance(by: .seconds(20))
        #expect(await start == .failure(.unreached(cause: "the call took too long or was cancelled")))
    }

    @Test func `a call that waits for a slot is held back when its time is up, and takes no slot`() async {
        let harness = Guarded(checkConcurrency: 1)
        harness.provider.hold()
        async let first = harness.check()
        await until { harness.provider.heldCount == 1 }
        harness.time.advance(by: .seconds(10))
        async let second = harness.check()
        // Both sleep until their ends by now, the second in the line.
        await until { harness.time.sleeperCount == 2 }
        harness.time.advance(by: .seconds(10))
        #expect(await first == .failure(.unavailable(cause: "the call took too long or was cancelled")))
        #expect(await second == .success(.approved), "it had time left when the place came free")
        harness.provider.hold()
        async let third = harness.check()
        await until { harness.provider.heldCount == 1 }
        let waiting = Task { await harness.check() }
        await until { harness.time.sleeperCount == 2 }
        waiting.cancel()
        #expect(await waiting.value == .failure(.heldBack(cause: "too many calls wait for it")))
        harness.provider.letGo()
        #expect(await third == .success(.approved))
    }
}
