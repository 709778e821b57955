import Synchronization
import Testing

@testable import Kernel

/// Work that one of several daemons does.
struct LeaderRoundsTests {
    private let time = SteppedTime(sleeps: 400)
    private let node = Node()

    /// Returns when rounds were done, in seconds after the start.
    private func rounds(every interval: Duration) async -> [Int64] {
        let done = Mutex<[Int64]>([])
        await LeaderRounds(every: interval, clock: time, nodes: node).run {
            done.withLock { $0.append((time.now - Uptime(nanoseconds: 0)).wholeMilliseconds / 1000) }
        }
        return done.withLock(\.self)
    }

    @Test func `the leader does a round at each interval, from the first moment on`() async {
        node.lead(true)
        #expect(await rounds(every: .seconds(300)).prefix(3) == [0, 300, 600])
    }

    @Test func `a daemon that is not the leader does none`() async {
        #expect(await rounds(every: .seconds(300)).isEmpty)
    }

    @Test func `a new leader begins within seconds although the interval is a day`() async throws {
        time.each { [node] now in node.lead(now >= Uptime(nanoseconds: 3_605_000_000_000)) }
        let rounds = await rounds(every: .seconds(86_400))
        let first = try #require(rounds.first)
        #expect((3605...3615).contains(first))
        #expect(rounds.dropFirst().first == first + 86_400)
    }

    @Test func `short intervals are kept`() async {
        time.each { [node] now in node.lead(now >= Uptime(nanoseconds: 2_000_000_000)) }
        #expect(await rounds(every: .seconds(1)).prefix(3) == [2, 3, 4])
    }

    private final class Node: NodeMembership {
        private let leads = Mutex(false)

        func lead(_ isLeader: Bool) { leads.withLock { $0 = isLeader } }

        var node: NodeName { .first }
        var isShared: Bool { true }
        var isLeaseHeld: Bool { true }
        var adopted: Set<NodeName> { [] }
        var peers: Peers { Peers(count: 2, isLeader: leads.withLock(\.self)) }
    }

    /// A clock on which every sleep ends at once, until it has no more of them.
    private final class SteppedTime: MonotonicClock {
        private struct State {
            var now = Uptime(nanoseconds: 0)
            var left: Int
            var tell: (@Sendable (Uptime) -> Void)?
        }

        private let state: Mutex<State>

        init(sleeps: Int) { state = Mutex(State(left: sleeps)) }

        var now: Uptime { state.withLock(\.now) }

        func each(_ tell: @escaping @Sendable (Uptime) -> Void) { state.withLock { $0.tell = tell } }

        func sleep(until deadline: Uptime) async throws {
            let tell = try state.withLock { state in
                guard state.left > 0 else { throw CancellationError() }
                state.left -= 1
                state.now = deadline
                return state.tell
            }
            tell?(deadline)
        }
    }
}
