package import Kernel
import Synchronization

/// One parked poll.
///
/// Resumed once: by a change, by its time running out, by drain, or by its client going away.
final class Waiter: Sendable {
    let deadline: Uptime
    /// Who waits: a second poll of the same caller releases the first.
    let caller: Digest256
    /// Whether the caller proves that the operation is its own: it gives way to no stranger.
    let isProven: Bool
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)
    private let isDone = Mutex(false)
    private let released = Atomic<Bool>(false)

    init(deadline: Uptime, caller: Digest256, isProven: Bool) {
        self.deadline = deadline
        self.caller = caller
        self.isProven = isProven
    }

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

    /// Whether it had to give way to another one.
    var isReleased: Bool { released.load(ordering: .acquiring) }

    func release() {
        released.store(true, ordering: .releasing)
        resume()
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
    /// How many callers may wait for one operation: its client, in a few windows, and whoever else knows the id.
    package static let waitersPerOperation = 16

    /// Parks until the operation's version is no longer `seq`, at most until `deadline`; returns at once when there is
    /// nothing to wait for.
    ///
    /// Whoever waits for it as the same caller is released (CIBA Core §7.3: no two long polls overlap), and beyond
    /// ``waitersPerOperation`` whoever has waited longest of those without proof; one with proof only gives way to
    /// another with proof.
    /// - Returns: `false` for one that was released, or not let in: it must not wait again, or it would release another
    ///   in turn.
    package func wait(
        _ publicID: Digest256,
        past seq: Int64,
        until deadline: Uptime,
        as caller: Digest256,
        isProven: Bool
    ) async -> Bool {
        let waiter = Waiter(deadline: deadline, caller: caller, isProven: isProven)
        let shard = shard(publicID)
        // Listed before anything is looked at: a drain that comes in between finds it.
        shard.parked.withLock { $0[ObjectIdentifier(waiter)] = waiter }
        defer { _ = shard.parked.withLock { $0.removeValue(forKey: ObjectIdentifier(waiter)) } }
        guard !isDraining.withLock({ $0 }) else { return true }
        let released = shard.entries.withLock { entries -> [Waiter]? in
            guard let index = entries.index(forKey: publicID) else { return nil }
            // An ended operation is waited for as well: a caller without proof sees it pending, and must not find out.
            guard entries.values[index].card.operation.seq == seq else { return nil }
            return entries.values[index].add(waiter)
        }
        guard let released else { return true }
        for other in released { other.release() }
        guard !waiter.isReleased else { return false }
        await withTaskCancellationHandler {
            await waiter.park()
        } onCancel: {
            waiter.resume()
        }
        shard.entries.withLock { entries in
            guard let index = entries.index(forKey: publicID) else { return }
            entries.values[index].waiters.removeAll { $0 === waiter }
        }
        return !waiter.isReleased
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

extension OperationDesk {
    /// Parks the caller until the operation is another version than this one, at most until `deadline`.
    /// - Returns: `false` for a caller that had to give way to another.
    package func wait(_ operation: Operation, until deadline: Uptime, as caller: Caller) async -> Bool {
        await board.wait(
            operation.publicID,
            past: operation.seq,
            until: deadline,
            as: caller.waitsAs,
            isProven: Visibility.isProven(caller, operation)
        )
    }
}
