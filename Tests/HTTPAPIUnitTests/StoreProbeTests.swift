import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import HTTPAPI

struct StoreProbeTests {
    private struct DownError: Error {}
    private let time = VirtualTime()
    private let asked = Counter()

    @Test func `attack: a thousand concurrent probes of the store in a second cause one write`() async {
        let probe = StoreProbe(clock: time.environment().clock) { [asked] in asked.add() }
        for _ in 0..<1000 { #expect(await probe.isWritable()) }
        #expect(asked.count == 1)
        time.advance(by: StoreProbe.memory)
        #expect(await probe.isWritable())
        #expect(asked.count == 2, "and an answer grows old")
    }

    @Test func `what the store says is told, and told anew`() async {
        let isDown = Mutex(true)
        let probe = StoreProbe(clock: time.environment().clock) { if isDown.withLock({ $0 }) { throw DownError() } }
        #expect(await !probe.isWritable())
        isDown.withLock { $0 = false }
        time.advance(by: StoreProbe.memory)
        #expect(await probe.isWritable())
    }

    @Test func `a store that does not answer is not writable, and nobody waits in line for it`() async {
        let (hold, release) = AsyncStream<Void>.makeStream()
        let probe = StoreProbe(clock: time.environment().clock) { [asked] in
            asked.add()
            for await _ in hold {}
        }
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await probe.isWritable() }
            while asked.count == 0 { await Task.yield() }
            #expect(await probe.isWritable(), "it was until now")
            time.advance(by: StoreProbe.patience)
            #expect(await !probe.isWritable())
            release.finish()
            #expect(await group.next() == true)
        }
        #expect(asked.count == 1)
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}
