package import Kernel
import Synchronization

/// Time that passes only when the test says so: a wall clock that can be stepped and a monotonic clock that cannot.
package final class VirtualTime: MonotonicClock {
    private let state: Mutex<State>

    package init(wall: Instant = Instant(seconds: 1_800_000_000), uptime: Uptime = Uptime(nanoseconds: 5_000_000_000)) {
        state = Mutex(State(wallOffset: wall.milliseconds * 1_000_000 - uptime.nanoseconds, uptime: uptime))
    }

    package var now: Uptime { state.withLock(\.uptime) }
    package var wall: Instant {
        state.withLock { Instant(milliseconds: ($0.uptime.nanoseconds + $0.wallOffset) / 1_000_000) }
    }

    /// Lets time pass on both clocks and wakes the tasks that have slept long enough.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state -> [Sleeper] in
            state.uptime = state.uptime + duration
            let due = state.sleepers.values.filter { $0.deadline <= state.uptime }
            for sleeper in due { state.sleepers[sleeper.id] = nil }
            return due
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Steps the wall clock alone, as an operator or NTP does.
    package func stepWall(by duration: Duration) { state.withLock { $0.wallOffset += duration.wholeNanoseconds } }

    /// How many tasks sleep.
    package var sleeperCount: Int { state.withLock(\.sleepers.count) }

    package func sleep(until deadline: Uptime) async throws {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state -> Bool in
                    guard !state.cancelled.contains(id), state.uptime < deadline else { return true }
                    state.sleepers[id] = Sleeper(id: id, deadline: deadline, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
        try Task.checkCancellation()
    }

    /// Environment over this time, with random bytes that depend on `seed` alone.
    package func environment(seed: UInt64 = 1) -> Environment {
        let random = Mutex(SeededRandom(seed: seed))
        return Environment(
            now: { self.wall },
            clock: self,
            randomBytes: { count in random.withLock { random in (0..<count).map { _ in random.byte() } } }
        )
    }

    private struct State {
        /// How far the wall clock is ahead of the monotonic one, in nanoseconds.
        var wallOffset: Int64
        var uptime: Uptime
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
    }

    private struct Sleeper {
        let id: Int
        let deadline: Uptime
        let continuation: CheckedContinuation<Void, any Error>
    }
}
