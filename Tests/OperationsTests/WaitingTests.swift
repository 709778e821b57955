import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Operations

/// Parked polls: each is woken by what should wake it, and by nothing else.
@Suite(.timeLimit(.minutes(1))) struct WaitingTests {
    private let cache = OperationCache()
    private let operation = OperationSample.operation(1)
    private let later = Uptime(nanoseconds: 1_000_000_000)

    private func parked(as caller: Digest256 = .zero) async -> Task<Bool, Never> {
        let task = Task { [cache, operation, later] in
            await cache.wait(
                WaitingTurn(
                    publicID: operation.credentials.publicID,
                    seq: operation.seq,
                    deadline: later,
                    caller: caller,
                    isProven: false
                )
            )
        }
        await until { cache.parkedCount == 1 }
        return task
    }

    @Test func `a new version wakes its parked polls`() async {
        cache.put(operation)
        let task = await parked()
        cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
        #expect(await task.value)
        #expect(cache.parkedCount == 0)
    }

    @Test func `the end of its time wakes, not a moment sooner`() async {
        cache.put(operation)
        let task = await parked()
        cache.wakeOverdue(at: Uptime(nanoseconds: later.nanoseconds - 1))
        #expect(cache.parkedCount == 1)
        cache.wakeOverdue(at: later)
        #expect(await task.value)
        #expect(cache.parkedCount == 0)
    }

    @Test func `of those who wait the overdue wake, however many sweeps there are, and the others wait on`() async {
        cache.put(operation)
        let times = (1...8).map { Uptime(nanoseconds: Int64($0) * 1000) }
        let tasks = times.enumerated().map { number, time in
            Task { [cache, operation] in
                await cache.wait(
                    WaitingTurn(
                        publicID: operation.credentials.publicID,
                        seq: operation.seq,
                        deadline: time,
                        caller: Self.caller(UInt64(number)),
                        isProven: false
                    )
                )
            }
        }
        await until { cache.parkedCount == tasks.count }
        for (number, time) in times.enumerated() {
            cache.wakeOverdue(at: Uptime(nanoseconds: time.nanoseconds - 1))
            #expect(cache.parkedCount == tasks.count - number, "not yet")
            cache.wakeOverdue(at: time)
            cache.wakeOverdue(at: time)
            #expect(await tasks[number].value)
            #expect(cache.parkedCount == tasks.count - number - 1)
        }
    }

    @Test func `a cancelled poll is released and no longer counts as waiting`() async {
        cache.put(operation)
        let task = await parked()
        task.cancel()
        #expect(await task.value)
        #expect(cache.parkedCount == 0)
        #expect(cache.lastPoll(operation.credentials.publicID, now: later) == nil, "and no longer counts as waiting")
    }

    @Test func `a drain wakes all, and nobody parks any more`() async {
        cache.put(operation)
        cache.put(OperationSample.operation(2))
        let first = await parked()
        let second = Task { [cache, later] in
            await cache.wait(
                WaitingTurn(
                    publicID: OperationSample.operation(2).credentials.publicID,
                    seq: 1,
                    deadline: later,
                    caller: .zero,
                    isProven: false
                )
            )
        }
        await until { cache.parkedCount == 2 }
        cache.wakeAll()
        #expect(await first.value)
        #expect(await second.value)
        _ = await cache.wait(
            WaitingTurn(
                publicID: operation.credentials.publicID,
                seq: operation.seq,
                deadline: later,
                caller: .zero,
                isProven: false
            )
        )
        #expect(cache.parkedCount == 0)
    }

    @Test func `taking the operation down wakes`() async {
        cache.put(operation)
        let task = await parked()
        cache.remove(operation.credentials.publicID)
        #expect(await task.value)
    }

    @Test func `a poll of an operation that is newer or unknown does not park`() async {
        _ = await cache.wait(
            WaitingTurn(
                publicID: operation.credentials.publicID,
                seq: 1,
                deadline: later,
                caller: .zero,
                isProven: false
            )
        )
        cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
        _ = await cache.wait(
            WaitingTurn(
                publicID: operation.credentials.publicID,
                seq: 1,
                deadline: later,
                caller: .zero,
                isProven: false
            )
        )
        #expect(cache.parkedCount == 0)
    }

    @Test func `a noted contact or a binding does not wake parked polls`() async {
        cache.put(operation)
        let task = await parked()
        cache.note(.failed, about: operation.credentials.publicID)
        cache.bind(operation.credentials.publicID)
        cache.put(operation)
        #expect(cache.parkedCount == 1)
        #expect(cache.lastPoll(operation.credentials.publicID, now: later) == later, "a parked poll is asking now")
        cache.wakeAll()
        #expect(await task.value)
    }

    // T-235
    @Test func `a second wait of the same caller releases the first, and of no other`() async {
        cache.put(operation)
        let first = await parked(as: Self.caller(1))
        let other = Task { [cache, operation, later] in
            await cache.wait(
                WaitingTurn(
                    publicID: operation.credentials.publicID,
                    seq: 1,
                    deadline: later,
                    caller: Self.caller(2),
                    isProven: false
                )
            )
        }
        await until { cache.parkedCount == 2 }
        let second = Task { [cache, operation, later] in
            await cache.wait(
                WaitingTurn(
                    publicID: operation.credentials.publicID,
                    seq: 1,
                    deadline: later,
                    caller: Self.caller(1),
                    isProven: false
                )
            )
        }
        #expect(await !first.value, "and it knows that it is not to wait again")
        await until { cache.parkedCount == 2 }
        cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
        #expect(await second.value)
        #expect(await other.value)
    }

    // T-007, T-235
    @Test func `attack: of the parked polls with the id alone only the newest few per operation are kept`() async {
        cache.put(operation)
        let limit = OperationCache.waitersPerOperation
        let results = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<(limit * 4) {
                group.addTask { [cache, operation, later] in
                    await cache.wait(
                        WaitingTurn(
                            publicID: operation.credentials.publicID,
                            seq: 1,
                            deadline: later,
                            caller: Self.caller(UInt64(number)),
                            isProven: false
                        )
                    )
                }
            }
            var released = 0
            while released < limit * 3, let isKept = await group.next() { released += isKept ? 0 : 1 }
            await until { cache.parkedCount == limit }
            cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
            return await group.reduce(into: [released]) { $0.append($1 ? 1 : 0) }
        }
        #expect(results == [limit * 3] + Array(repeating: 1, count: limit))
        #expect(cache.parkedCount == 0)
    }

    // T-007, T-235
    @Test func `attack: polls without proof never displace the parked poll with proof`() async {
        cache.put(operation)
        let rightful = waiter(0, isProven: true)
        await until { cache.parkedCount == 1 }
        let limit = OperationCache.waitersPerOperation
        let kept = await withTaskGroup(of: Bool.self) { outsiders in
            for number in 1...(limit * 2) { outsiders.addTask { await waiter(number, isProven: false).value } }
            for _ in 0...limit { #expect(await outsiders.next() == false) }
            await until { cache.parkedCount == limit }
            cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
            return await outsiders.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(await rightful.value, "and was woken by the change")
        #expect(kept == limit - 1)
    }

    // T-007, T-235
    @Test func `attack: a poll without proof is answered at once where proven polls fill all places`() async {
        cache.put(operation)
        let limit = OperationCache.waitersPerOperation
        await withTaskGroup(of: Bool.self) { proven in
            for number in 1...limit { proven.addTask { await waiter(number, isProven: true).value } }
            await until { cache.parkedCount == limit }
            #expect(await !waiter(99, isProven: false).value, "answered at once, and told not to wait again")
            proven.addTask { await waiter(100, isProven: true).value }
            #expect(await proven.next() == false, "one more with proof takes the place of one with proof")
            cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
            for await isKept in proven { #expect(isKept) }
        }
    }

    // T-235
    @Test func `attack: a poll without proof does not release the parked poll with proof of the same caller`() async {
        cache.put(operation)
        let rightful = waiter(0, isProven: true)
        await until { cache.parkedCount == 1 }
        let outsider = waiter(0, isProven: false)
        await until { cache.parkedCount == 2 }
        cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 2))
        #expect(await rightful.value)
        #expect(await outsider.value)
    }

    private func waiter(_ number: Int, isProven: Bool) -> Task<Bool, Never> {
        Task { [cache, operation, later] in
            let caller = Self.caller(UInt64(number))
            return await cache.wait(
                WaitingTurn(
                    publicID: operation.credentials.publicID,
                    seq: 1,
                    deadline: later,
                    caller: caller,
                    isProven: isProven
                )
            )
        }
    }

    private static func caller(_ number: UInt64) -> Digest256 { Digest256(sha256: "caller \(number)") }
}
