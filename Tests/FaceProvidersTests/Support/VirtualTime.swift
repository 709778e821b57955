import Foundation
import Kernel
import Synchronization

/// A wall clock and a monotonic one that are stopped until a test moves them.
final class VirtualTime: MonotonicClock {
    private struct State {
        var wall: Instant
        var uptime = Uptime(nanoseconds: 0)
        var sleepers: [UUID: Sleeper] = [:]
    }

    private struct Sleeper {
        let deadline: Uptime
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let state: Mutex<State>

    /// 2026-01-01T00:00:00Z unless another time is given.
    init(wall: Instant = Instant(seconds: 1_767_225_600)) { state = Mutex(State(wall: wall)) }

    var now: Uptime { state.withLock { $0.uptime } }
    var wall: Instant { state.withLock { $0.wall } }

    /// How many tasks sleep.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func sleep(until deadline: Uptime) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = Sleeper(deadline: deadline, continuation: continuation)
                let isOver = state.withLock { state in
                    // The handler has run already if the task was cancelled before it came here.
                    guard !Task.isCancelled, deadline > state.uptime else { return true }
                    state.sleepers[id] = sleeper
                    return false
                }
                guard isOver else { return }
                continuation.resume(with: Task.isCancelled ? .failure(CancellationError()) : .success(()))
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Lets time pass and wakes the tasks that slept until then.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.wall = state.wall + duration
            state.uptime = state.uptime + duration
            let due = state.sleepers.filter { $0.value.deadline <= state.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Sets the wall clock alone, as an administrator or a time server does.
    func step(wall by: Duration) { state.withLock { $0.wall = $0.wall + by } }

    var environment: Environment {
        Environment(now: { self.wall }, clock: self, randomBytes: { Array(repeating: 0, count: $0) })
    }

    /// Returns the time after `duration` from now, as authID writes it.
    func timestamp(in duration: Duration) -> String {
        Date(timeIntervalSince1970: Double((wall + duration).seconds)).ISO8601Format()
    }
}
