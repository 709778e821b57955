import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Operations

/// What a change of a provider's health does to those who wait: streams look again, long polls wait on.
@Suite(.timeLimit(.minutes(10))) struct StreamRecallTests {
    private let cache = OperationCache()
    private let operation = OperationSample.operation(1)
    private let later = Uptime(nanoseconds: 60_000_000_000)

    @Test func `streams are woken a few at a time, and no long poll is`() async {
        cache.put(operation)
        let poll = waiter(0, health: nil)
        let streams = (1...3).map { waiter($0, health: seen) }
        await until { cache.parkedCount == 4 }
        cache.wakeOverdue(at: at(1))
        #expect(cache.parkedCount == 4, "nothing has changed")
        cache.recallStreams()
        cache.wakeOverdue(at: at(2), limit: 2)
        await until { cache.parkedCount == 2 }
        cache.wakeOverdue(at: at(3), limit: 2)
        await until { cache.parkedCount == 1 }
        for stream in streams { #expect(await stream.value, "woken, and may wait again") }
        cache.wakeOverdue(at: later)
        #expect(await poll.value)
    }

    @Test func `a provider whose health changes back and forth wakes a stream once a second`() async {
        cache.put(operation)
        let first = waiter(1, health: seen)
        await until { cache.parkedCount == 1 }
        cache.recallStreams()
        cache.wakeOverdue(at: at(0))
        #expect(await first.value)
        let second = waiter(1, health: seen)
        await until { cache.parkedCount == 1 }
        cache.recallStreams()
        cache.wakeOverdue(at: at(999))
        #expect(cache.parkedCount == 1)
        cache.wakeOverdue(at: at(1000))
        #expect(await second.value)
    }

    @Test func `a stream that has looked before the change does not park`() async {
        cache.put(operation)
        let before = seen
        cache.recallStreams()
        #expect(await waiter(1, health: before).value)
        let after = waiter(1, health: seen)
        await until { cache.parkedCount == 1 }
        cache.wakeOverdue(at: later)
        #expect(await after.value)
    }

    @Test func `an operation's own check wakes its streams when it goes otherwise than the last`() async {
        cache.put(operation)
        let stream = waiter(1, health: seen)
        let poll = waiter(2, health: nil)
        await until { cache.parkedCount == 2 }
        cache.note(.answered, about: operation.credentials.publicID)
        #expect(cache.parkedCount == 2, "it was answered before as well")
        let before = seen
        cache.note(.failed, about: operation.credentials.publicID)
        #expect(await stream.value)
        await until { cache.parkedCount == 1 }
        #expect(await waiter(1, health: before).value, "it had not seen that")
        cache.wakeOverdue(at: later)
        #expect(await poll.value)
    }

    private var seen: HealthSeen { cache.healthSeen(cache.card(operation.credentials.publicID)) }

    private func at(_ milliseconds: Int64) -> Uptime { Uptime(nanoseconds: milliseconds * 1_000_000) }

    private func waiter(_ number: Int, health: HealthSeen?) -> Task<Bool, Never> {
        Task { [cache, operation, later] in
            await cache.wait(
                WaitingTurn(
                    publicID: operation.credentials.publicID,
                    seq: operation.seq,
                    deadline: later,
                    caller: Digest256(sha256: "caller \(number)"),
                    isProven: false,
                    health: health
                )
            )
        }
    }
}
