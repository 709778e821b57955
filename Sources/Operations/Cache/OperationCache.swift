package import Kernel
import Synchronization

/// Live operations, and terminal ones for a while, in memory.
///
/// Polls are answered from it.
///
/// It is sharded to reduce contention between cores. The database is authoritative, and the cache can be rebuilt from
/// it. Only a newer version replaces a version.
package final class OperationCache: Sendable {
    /// How long a terminal operation stays in the cache.
    package static let terminalStay: Duration = .seconds(600)

    private let shards: [Shard]
    private let tickets: [TicketShard]
    let references: ReferenceIndex
    let devices = DeviceIndex()
    let accounts: AccountIndex
    /// Set permanently when the daemon stops, so that no further poll parks.
    let isDraining = Mutex(false)
    let counts = CacheCounts()
    let recall = Mutex(StreamRecall())

    package init(shardCount: Int = 64) {
        shards = (0..<shardCount).map { _ in Shard() }
        tickets = (0..<shardCount).map { _ in TicketShard() }
        references = ReferenceIndex(shardCount: shardCount)
        accounts = AccountIndex(shardCount: shardCount)
    }

    /// Returns the cached operation with that public id.
    package func card(_ publicID: Digest256) -> CachedOperation? {
        shard(publicID).entries.withLock { $0[publicID]?.card }
    }

    /// Returns the cached operation for a polling client, and the time of the previous poll.
    package func cardForPoll(_ publicID: Digest256, at now: Uptime) -> (card: CachedOperation, lastPoll: Uptime?)? {
        shard(publicID).entries.withLock { entries in
            guard let index = entries.index(forKey: publicID) else { return nil }
            defer { entries.values[index].lastPoll = now }
            return (entries.values[index].card, entries.values[index].lastPoll)
        }
    }

    /// Returns the cached operation of that landing page.
    package func card(ticket: Digest256) -> CachedOperation? {
        ticketShard(ticket).entries.withLock { $0[ticket] }.flatMap { card($0) }
    }

    /// Stores a version unless the cache has a newer one, and wakes the operation's waiters.
    ///
    /// `source`: The source of the start's request, for the first version.
    package func put(_ operation: Operation, source: RequestSource? = nil) {
        let gaps = counts.gaps.load(ordering: .acquiring)
        let isNew = shard(operation.credentials.publicID).entries.withLock { entries -> (new: Bool, woken: [Waiter]) in
            guard let position = entries.index(forKey: operation.credentials.publicID) else {
                var entry = Entry(card: CachedOperation(operation: operation), source: source)
                entry.reading.gaps = gaps
                entries[operation.credentials.publicID] = entry
                index(from: nil, to: operation)
                return (true, [])
            }
            let old = entries.values[position].card
            guard operation.seq > old.operation.seq else {
                entries.values[position].card = old.following(operation)
                return (false, [])
            }
            index(from: old.operation, to: operation)
            entries.values[position].reading.gaps = gaps
            entries.values[position].card = old.followed(by: operation)
            return (false, entries.values[position].takeWaiters())
        }
        if isNew.new {
            ticketShard(operation.credentials.ticket).entries.withLock {
                $0[operation.credentials.ticket] = operation.credentials.publicID
            }
        }
        for waiter in isNew.woken { waiter.resume() }
    }

    /// Binds the operation to its binding cookie; returns whether it was unbound before.
    @discardableResult
    package func bind(_ publicID: Digest256) -> Bool {
        replace(publicID) {
            $0.operation.credentials.isBound ? nil : CachedOperation($0, operation: $0.operation.bound())
        }
    }

    /// Forgets a provider's page that does not decrypt.
    func forget(_ page: EncryptedScanPage, of publicID: Digest256) {
        replace(publicID) { card in
            guard case .pending(let scan) = card.operation.state, scan.page == page else { return nil }
            return CachedOperation(card, operation: card.operation.withoutPage())
        }
    }

    /// Notes the browser that the row of a decided operation names as that of its scan.
    func note(browser: Digest256, of publicID: Digest256) {
        replace(publicID) { $0.browser == browser ? nil : CachedOperation($0, browser: browser) }
    }

    /// Notes the result of the last contact with the provider, and wakes the operation's streams if it has changed.
    package func note(_ contact: ProviderContact, about publicID: Digest256) {
        let woken = shard(publicID).entries.withLock { entries -> [Waiter] in
            guard let index = entries.index(forKey: publicID) else { return [] }
            let card = entries.values[index].card
            guard card.lastContact != contact else { return [] }
            entries.values[index].card = CachedOperation(card, lastContact: contact)
            return entries.values[index].takeStreams()
        }
        for waiter in woken { waiter.resume() }
    }

    /// Notes that the operation was read from the database.
    ///
    /// `isForgotten`: Whether earlier contacts with its provider are unknown, because this daemon has to go on with it.
    func noteReadBack(_ publicID: Digest256, at now: Uptime, isForgotten: Bool) {
        let gaps = counts.gaps.load(ordering: .acquiring)
        shard(publicID).entries.withLock { entries in
            guard let index = entries.index(forKey: publicID) else { return }
            entries.values[index].reading.first = entries.values[index].reading.first ?? now
            entries.values[index].reading.gaps = gaps
            if isForgotten { entries.values[index].reading.isForgotten = true }
        }
    }

    /// Whether earlier contacts with the operation's provider are unknown.
    func isForgotten(_ publicID: Digest256) -> Bool {
        shard(publicID).entries.withLock { $0[publicID]?.reading.isForgotten ?? false }
    }

    /// Returns when the operation was first read from the database; `nil` for one that began here.
    func readBackAt(_ publicID: Digest256) -> Uptime? {
        shard(publicID).entries.withLock { $0[publicID]?.reading.first }
    }

    /// Notes that messages of other daemons were lost, so that every operation may have changed.
    func noteGap() { counts.gaps.add(1, ordering: .acquiringAndReleasing) }

    /// Notes that another daemon has written the operation, and that it could not be read.
    func noteDoubt(_ publicID: Digest256) {
        shard(publicID).entries.withLock { entries in
            guard let index = entries.index(forKey: publicID) else { return }
            entries.values[index].reading.gaps = -1
        }
    }

    /// Whether the operation was neither read nor written here since messages were lost, or since a reading failed.
    func isStale(_ publicID: Digest256) -> Bool {
        let gaps = counts.gaps.load(ordering: .acquiring)
        return shard(publicID).entries.withLock { $0[publicID].map { $0.reading.gaps < gaps } ?? false }
    }

    /// Removes an operation and wakes its waiters.
    package func remove(_ publicID: Digest256) {
        let entry = shard(publicID).entries.withLock { entries in
            let entry = entries.removeValue(forKey: publicID)
            index(from: entry?.card.operation, to: nil)
            return entry
        }
        guard var entry else { return }
        ticketShard(entry.card.operation.credentials.ticket).entries.withLock { entries in
            _ = entries.removeValue(forKey: entry.card.operation.credentials.ticket)
        }
        for waiter in entry.takeWaiters() { waiter.resume() }
    }

    /// Returns the time of the last poll, with a parked client polling now; `nil` if there was none.
    package func lastPoll(_ publicID: Digest256, now: Uptime) -> Uptime? {
        shard(publicID).entries.withLock { entries in
            guard let entry = entries[publicID] else { return nil }
            return entry.waiters.isEmpty ? entry.lastPoll : now
        }
    }

    /// Returns the cached operations that meet the condition.
    ///
    /// It visits every operation, so no request may call it.
    package func cards(where condition: (Operation) -> Bool) -> [CachedOperation] {
        shards.flatMap { shard in
            shard.entries.withLock { $0.values.map(\.card) }.filter { condition($0.operation) }
        }
    }

    package var count: Int { shards.reduce(0) { $0 + $1.entries.withLock(\.count) } }

    func shard(_ digest: Digest256) -> Shard {
        shards[Int(truncatingIfNeeded: digest.prefixWord % UInt64(shards.count))]
    }
    var allShards: [Shard] { shards }

    private func index(from old: Operation?, to new: Operation?) {
        references.move(from: old, to: new)
        devices.move(from: old, to: new)
        accounts.move(from: old, to: new)
    }

    private func ticketShard(_ digest: Digest256) -> TicketShard {
        tickets[Int(truncatingIfNeeded: digest.prefixWord % UInt64(tickets.count))]
    }

    /// Returns whether the operation was changed.
    @discardableResult
    private func replace(_ publicID: Digest256, _ change: (CachedOperation) -> CachedOperation?) -> Bool {
        shard(publicID).entries.withLock { entries in
            guard let index = entries.index(forKey: publicID), let card = change(entries.values[index].card) else {
                return false
            }
            entries.values[index].card = card
            return true
        }
    }

    struct Entry {
        var card: CachedOperation
        let source: RequestSource?
        var lastPoll: Uptime?
        var lastExchange: ProviderExchange?
        var reading = Reading()
        var waiters: [Waiter] = []
        /// Separate rate limits for polls with a proof and polls with the id alone, so that the latter can't use up the
        /// former.
        var provenUse = RateLimit.Use()
        var bareUse = RateLimit.Use()

        /// Lists the waiter; returns the waiters that have to give way to it, or the waiter itself if it has to.
        mutating func add(_ waiter: Waiter) -> [Waiter] {
            var released = waiters.filter { $0.caller == waiter.caller && ($0.isProven == waiter.isProven) }
            let others = waiters.filter { held in !released.contains { $0 === held } }
            if others.count >= OperationCache.waitersPerOperation {
                guard let oldest = others.first(where: { !$0.isProven }) ?? (waiter.isProven ? others.first : nil)
                else { return [waiter] }
                released.append(oldest)
            }
            waiters.removeAll { held in released.contains { $0 === held } }
            waiters.append(waiter)
            return released
        }

        mutating func takeWaiters() -> [Waiter] {
            defer { waiters = [] }
            return waiters
        }

        mutating func takeStreams() -> [Waiter] {
            defer { waiters.removeAll(where: \.followsHealth) }
            return waiters.filter(\.followsHealth)
        }
    }

    final class Shard: Sendable {
        let entries = Mutex<[Digest256: Entry]>([:])
        /// The parked polls, separate from the entries, because a sweep must not visit a hundred thousand entries.
        let parked = Mutex(ParkedPollQueue())
    }

    private final class TicketShard: Sendable {
        let entries = Mutex<[Digest256: Digest256]>([:])
    }
}

/// What may have changed every operation of the cache at once.
final class CacheCounts: Sendable {
    /// How often a provider's health has changed.
    let healthFlips = Atomic<Int>(0)
    /// How often messages of other daemons were lost.
    let gaps = Atomic<Int>(0)
}

/// When and why a cached operation was read from the database.
struct Reading {
    /// When it was first read; `nil` for one that began here.
    var first: Uptime?
    /// Whether earlier contacts with its provider are unknown.
    var isForgotten = false
    /// How often messages were lost before it was last read or written; -1 after a reading that failed.
    var gaps = 0
    /// When the daemon that follows it last told that its provider does not answer.
    var toldDegraded: Uptime?
}
