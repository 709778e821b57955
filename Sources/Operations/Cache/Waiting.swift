import HeapModule
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
    /// Whether a change of the provider's health wakes it: a stream, not a long poll.
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

    /// Whether it was resumed.
    var isOver: Bool { isDone.withLock { $0 } }

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

extension OperationCache {
    /// How many callers may wait for one operation: its client, in a few windows, and whoever else knows the id.
    package static let waitersPerOperation = 16

    /// Parks until the operation's version is no longer the turn's, at most until its deadline; returns at once when
    /// there is nothing to wait for.
    ///
    /// Whoever waits for it as the same caller is released (CIBA Core §7.3: no two long polls overlap), and beyond
    /// ``waitersPerOperation`` whoever has waited longest of those without proof; one with proof only gives way to
    /// another with proof.
    /// - Returns: `false` for one that was released, or not let in: it must not wait again, or it would release another
    ///   in turn.
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
    /// Apart from ``wait(_:)``, as is ``leave(_:_:)``: what is on an asynchronous function's stack stays there while it waits.
    @inline(never)
    private func enlist(_ turn: WaitingTurn) -> Waiter? {
        let waiter = Waiter(turn)
        let shard = shard(turn.publicID)
        // Listed before anything is looked at: a drain that comes in between finds it.
        shard.parked.withLock { $0.insert(waiter) }
        let released =
            isDraining.withLock({ $0 })
            ? nil
            : shard.entries.withLock { entries -> [Waiter]? in
                guard let index = entries.index(forKey: turn.publicID) else { return nil }
                // An ended operation is waited for as well: a caller without proof sees it pending, and must not find out.
                let card = entries.values[index].card
                guard card.operation.seq == turn.seq else { return nil }
                if let seen = turn.health, seen != healthSeen(card) { return nil }
                return entries.values[index].add(waiter)
            }
        guard let released else {
            waiter.resume()
            shard.parked.withLock { $0.leave() }
            return nil
        }
        for other in released { other.release() }
        return waiter
    }

    /// - Returns: `false` for one that had to give way.
    @inline(never)
    private func leave(_ publicID: Digest256, _ waiter: Waiter) -> Bool {
        let shard = shard(publicID)
        shard.parked.withLock { $0.leave() }
        shard.entries.withLock { entries in
            guard let index = entries.index(forKey: publicID) else { return }
            entries.values[index].waiters.removeAll { $0 === waiter }
        }
        return !waiter.isReleased
    }

    /// How many polls are parked.
    package var parkedCount: Int { allShards.reduce(0) { $0 + $1.parked.withLock(\.count) } }

    /// Wakes those whose time is up, and streams that are to look again, at most `limit` of them.
    ///
    /// Called by the watcher's beat: one sweep instead of one timer per waiter. Thousands who came within a second also go
    /// within one; a few at a time, they don't hold up who is told of a verdict.
    package func wakeOverdue(at now: Uptime, limit: Int = .max) {
        var room = limit
        for shard in allShards where room > 0 {
            let due = shard.parked.withLock { $0.takeOverdue(at: now, limit: room) }
            for waiter in due { waiter.resume() }
            room -= due.count
        }
        for waiter in takeRecalled(at: now, limit: room) { waiter.resume() }
    }

    /// When the time of somebody is up next; at times somebody's who is gone already.
    var nextOverdue: Uptime? {
        (allShards.compactMap { $0.parked.withLock(\.earliest) } + [recall.withLock(\.next)].compactMap(\.self)).min()
    }

    /// Wakes all, and lets none park from now on: the daemon is going down and every poll is to be answered.
    package func wakeAll() {
        isDraining.withLock { $0 = true }
        for shard in allShards {
            for waiter in shard.parked.withLock(\.all) { waiter.resume() }
        }
    }
}

/// The parked polls of a shard.
struct ParkedPollQueue {
    /// Who leaves stays here until the time would have been up, or until too many have left.
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

    /// One who was resumed is gone.
    mutating func leave() {
        count -= 1
        guard items.count > 2 * count + 64 else { return }
        items = Heap(items.unordered.filter { !$0.waiter.isOver })
    }

    /// Up to `limit` of those whose time is up; each is found once.
    mutating func takeOverdue(at now: Uptime, limit: Int) -> [Waiter] {
        var due: [Waiter] = []
        while due.count < limit, let first = items.min, first.waiter.deadline <= now {
            items.removeMin()
            if !first.waiter.isOver { due.append(first.waiter) }
        }
        return due
    }
}

/// One turn of a caller that waits for an operation.
package struct WaitingTurn: Sendable {
    let publicID: Digest256
    /// The version that it waits to see the end of.
    let seq: Int64
    let deadline: Uptime
    let caller: Digest256
    let isProven: Bool
    /// Who is woken for nothing when it has left; `nil` where that is not known.
    var presence: ClientPresence?
    /// What it knows of the provider's health and waits to see the end of; `nil` where health is no change.
    var health: HealthSeen?
}

extension OperationService {
    /// The turn of a caller that waits until the operation is another version than this one, or than `version`, at most
    /// until `deadline`; with `health` also until that is another.
    package func turn(
        _ operation: Operation,
        past version: Int64? = nil,
        until deadline: Uptime,
        as caller: Caller,
        at presence: ClientPresence? = nil,
        health: HealthSeen? = nil
    ) -> WaitingTurn {
        WaitingTurn(
            publicID: operation.publicID,
            seq: version ?? operation.seq,
            deadline: deadline,
            caller: caller.waitsAs,
            isProven: Visibility.isProven(caller, operation),
            presence: presence,
            health: health
        )
    }
}
