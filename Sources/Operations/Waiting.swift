package import Kernel
import Synchronization

/// One parked poll.
///
/// Resumed once: by a change, by its time running out, by drain, or by its client going away.
final class Waiter: Sendable {
    let deadline: Uptime
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)
    private let isDone = Mutex(false)

    init(deadline: Uptime) { self.deadline = deadline }

    /// Parks the calling task until ``resume()``.
    func park() async {
        await withCheckedContinuation { parked in
            let isOver = isDone.withLock { done -> Bool in
                guard !done else { return true }
                continuation.withLock { $0 = parked }
                return false
            }
            if isOver { parked.resume() }
        }
    }

    func resume() {
        let parked = isDone.withLock { done -> CheckedContinuation<Void, Never>? in
            done = true
            return continuation.withLock { held in
                defer { held = nil }
                return held
            }
        }
        parked?.resume()
    }
}

extension LiveBoard {
    /// Parks until the operation's version is no longer `seq`, at most until `deadline`; returns at once when there is
    /// nothing to wait for.
    package func wait(_ publicID: Digest256, past seq: Int64, until deadline: Uptime) async {
        let waiter = Waiter(deadline: deadline)
        let shard = shard(publicID)
        // Listed before anything is looked at: a drain that comes in between finds it.
        shard.parked.withLock { $0[ObjectIdentifier(waiter)] = waiter }
        defer { _ = shard.parked.withLock { $0.removeValue(forKey: ObjectIdentifier(waiter)) } }
        guard !isDraining.withLock({ $0 }) else { return }
        let isParked = shard.entries.withLock { entries -> Bool in
            guard let index = entries.index(forKey: publicID) else { return false }
            // An ended operation is waited for as well: a caller without proof sees it pending, and must not find out.
            guard entries.values[index].card.operation.seq == seq else { return false }
            entries.values[index].waiters.append(waiter)
            return true
        }
        guard isParked else { return }
        await withTaskCancellationHandler {
            await waiter.park()
        } onCancel: {
            waiter.resume()
        }
        shard.entries.withLock { entries in
            guard let index = entries.index(forKey: publicID) else { return }
            entries.values[index].waiters.removeAll { $0 === waiter }
        }
    }

    /// How many polls are parked.
    package var parkedCount: Int { allShards.reduce(0) { $0 + $1.parked.withLock(\.count) } }

    /// Wakes those whose time is up.
    ///
    /// Called by the watcher's beat: one sweep instead of one timer per waiter.
    package func wakeOverdue(at now: Uptime) { wake { $0.deadline <= now } }

    /// Wakes all, and lets none park from now on: the daemon is going down and every poll is to be answered.
    package func wakeAll() {
        isDraining.withLock { $0 = true }
        wake { _ in true }
    }

    private func wake(_ condition: (Waiter) -> Bool) {
        for shard in allShards {
            let due = shard.parked.withLock { parked in parked.values.filter(condition) }
            for waiter in due { waiter.resume() }
        }
    }
}
