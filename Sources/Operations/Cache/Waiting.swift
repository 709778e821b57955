import HeapModule
package import Kernel
import Synchronization

/// One parked poll.
///
/// It is resumed once: by a change, its timeout, the daemon's stop, or its client's disconnection.
final class Waiter: Sendable {
    let deadline: Uptime
    /// The waiting caller, whose second poll of the same operation releases the first.
    let caller: Digest256
    /// Whether the caller proves that the operation is its own, so that no waiter without proof displaces it.
    let isProven: Bool
    /// Whether a change of the provider's health wakes the waiter, as for a stream but not for a long poll.
    let followsHealth: Bool
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)
    private let isDone = Mutex(false)
    private let released = Atomic<Bool>(false)

    init(_ turn: WaitingTurn) {
        deadline = turn.deadline
        caller = turn.caller
        isProven = turn.isProven
        followsHealth = turn.health != nil
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

    /// Whether the waiter was resumed.
    var isOver: Bool { isDone.withLock { $0 } }

    /// Whether the waiter was released for another waiter.
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

extension OperationCache {
    /// How many callers may wait for one operation: its client, in a few windows, and others that know the id.
    package static let waitersPerOperation = 16

    /// Parks until the operation's version is no longer the turn's, at most until its deadline.
    ///
    /// Returns at once when there is nothing to wait for. A waiter of the same caller is released (CIBA Core §7.3: no
    /// two long polls overlap). Beyond ``waitersPerOperation`` the oldest waiter without proof is released. A waiter
    /// with proof gives way only to another one with proof.
    /// - Returns: `false` for a waiter that was released or not admitted. It must not wait again, or it would release
    ///   another waiter in turn.
    package func wait(_ turn: WaitingTurn) async -> Bool {
        guard let waiter = enlist(turn) else { return true }
        turn.presence?.accompany(waiter)
        await withTaskCancellationHandler {
            await waiter.park()
        } onCancel: {
            waiter.resume()
        }
        turn.presence?.forget()
        return leave(turn.publicID, waiter)
    }

    /// Lists a new waiter; `nil` when there is nothing to wait for.
    ///
    /// This function and ``leave(_:_:)`` are separate from ``wait(_:)``, because an asynchronous function keeps its
    /// stack while it waits.
    @inline(never)
    private func enlist(_ turn: WaitingTurn) -> Waiter? {
        let waiter = Waiter(turn)
        let shard = shard(turn.publicID)
        // The waiter is listed before the checks, so that ``wakeAll()`` in between finds it.
        shard.parked.withLock { $0.insert(waiter) }
        let released =
            isDraining.withLock({ $0 })
            ? nil
            : shard.entries.withLock { entries -> [Waiter]? in
                guard let entry = entries[turn.publicID] else { return nil }
                // A caller may wait for an ended operation too: without proof it sees the operation as pending, and
                // must not learn more.
                guard entry.card.operation.seq == turn.seq else { return nil }
                if let seen = turn.health, seen != healthSeen(entry.card) { return nil }
                return entry.add(waiter)
            }
        guard let released else {
            waiter.resume()
            shard.parked.withLock { $0.leave() }
            return nil
        }
        for other in released { other.release() }
        return waiter
    }

    /// - Returns: `false` for a waiter that was released for another one.
    @inline(never)
    private func leave(_ publicID: Digest256, _ waiter: Waiter) -> Bool {
        let shard = shard(publicID)
        shard.parked.withLock { $0.leave() }
        shard.entries.withLock { $0[publicID]?.waiters.removeAll { $0 === waiter } }
        return !waiter.isReleased
    }

    /// The number of parked polls.
    package var parkedCount: Int { allShards.reduce(0) { $0 + $1.parked.withLock(\.count) } }

    /// Wakes waiters whose deadline has passed, and streams that have to be woken.
    ///
    /// The watcher's tick calls it: one sweep instead of one timer per waiter. Shards are swept until `limit` waiters
    /// were taken, each up to `limit`. Then up to `limit` streams follow. Waking few at a time does not delay callers
    /// whose operation has a verdict.
    package func wakeOverdue(at now: Uptime, limit: Int = .max) {
        var remaining = limit
        for shard in allShards where remaining > 0 {
            let due = shard.parked.withLock { $0.takeOverdue(at: now, limit: limit) }
            for waiter in due { waiter.resume() }
            remaining -= due.count
        }
        for waiter in takeRecalled(at: now, limit: limit) { waiter.resume() }
    }

    /// The earliest deadline of a waiter, which may have been resumed already, or the time to wake the next stream.
    var nextOverdue: Uptime? {
        (allShards.compactMap { $0.parked.withLock(\.earliest) } + [recall.withLock(\.next)].compactMap(\.self)).min()
    }

    /// Wakes all waiters and parks none from now on: the daemon is stopping and every poll has to be answered.
    package func wakeAll() {
        isDraining.withLock { $0 = true }
        for shard in allShards {
            for waiter in shard.parked.withLock(\.all) { waiter.resume() }
        }
    }
}

/// The parked polls of a shard.
struct ParkedPollQueue {
    /// A resumed waiter stays here until its deadline, or until too many of them have been resumed.
    private var items = Heap<Item>()
    private(set) var count = 0

    private struct Item: Comparable {
        let waiter: Waiter

        static func == (one: Self, other: Self) -> Bool { one.waiter.deadline == other.waiter.deadline }
        static func < (one: Self, other: Self) -> Bool { one.waiter.deadline < other.waiter.deadline }
    }

    var all: [Waiter] { items.unordered.map(\.waiter).filter { !$0.isOver } }
    var earliest: Uptime? { items.min?.waiter.deadline }

    mutating func insert(_ waiter: Waiter) {
        items.insert(Item(waiter: waiter))
        count += 1
    }

    /// Notes that a waiter was resumed.
    mutating func leave() {
        count -= 1
        guard items.count > 2 * count + 64 else { return }
        items = Heap(items.unordered.filter { !$0.waiter.isOver })
    }

    /// Takes up to `limit` waiters whose time is up; each is returned once.
    mutating func takeOverdue(at now: Uptime, limit: Int) -> [Waiter] {
        var due: [Waiter] = []
        while due.count < limit, let first = items.min, first.waiter.deadline <= now {
            items.removeMin()
            if !first.waiter.isOver { due.append(first.waiter) }
        }
        return due
    }
}

/// The parameters of one wait for an operation.
package struct WaitingTurn: Sendable {
    let publicID: Digest256
    /// The version that the caller knows, so that a newer one ends the wait.
    let seq: Int64
    let deadline: Uptime
    let caller: Digest256
    let isProven: Bool
    /// The caller's connection, whose end ends the wait; `nil` where it is unknown.
    var presence: ClientPresence?
    /// The provider's health that the caller knows, whose change ends the wait; `nil` for a caller that does not follow
    /// health.
    var health: HealthSeen?
}

extension OperationService {
    /// Returns the parameters to wait until `deadline` for a version newer than the operation's, or than `version`.
    package func turn(
        _ operation: Operation,
        past version: Int64? = nil,
        until deadline: Uptime,
        as caller: Caller,
        at presence: ClientPresence? = nil
    ) -> WaitingTurn {
        turn(operation, past: version, until: deadline, as: .caller(caller), at: presence)
    }

    /// Returns the parameters of the same wait for a viewer.
    ///
    /// With `health`, a change of the provider's health ends the wait too.
    package func turn(
        _ operation: Operation,
        past version: Int64? = nil,
        until deadline: Uptime,
        as viewer: Viewer,
        at presence: ClientPresence? = nil,
        health: HealthSeen? = nil
    ) -> WaitingTurn {
        WaitingTurn(
            publicID: operation.credentials.publicID,
            seq: version ?? operation.seq,
            deadline: deadline,
            caller: viewer.waitsAs,
            isProven: viewer.isProven(operation),
            presence: presence,
            health: health
        )
    }
}
