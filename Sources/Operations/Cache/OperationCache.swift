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
            guard let entry = entries[publicID] else { return nil }
            defer { entry.lastPoll = now }
            return (entry.card, entry.lastPoll)
        }
    }

    /// Returns the cached operation of that landing page.
    package func card(ticket: Digest256) -> CachedOperation? {
        ticketShard(ticket).entries.withLock { $0.values(of: ticket.prefixWord) }.flatMap(cards(word:))
            .first { $0.operation.credentials.ticket == ticket }
    }

    /// Stores a version unless the cache has a newer one, and wakes the operation's waiters.
    ///
    /// `source`: The source of the start's request, for the first version.
    package func put(_ operation: Operation, source: RequestSource? = nil) {
        let gaps = counts.gaps.load(ordering: .acquiring)
        let isNew = shard(operation.credentials.publicID).entries.withLock { entries -> (new: Bool, woken: [Waiter]) in
            guard let entry = entries[operation.credentials.publicID] else {
                let entry = Entry(card: CachedOperation(operation: operation), source: source)
                entry.reading.gaps = gaps
                entries.insert(entry)
                index(from: nil, to: operation)
                return (true, [])
            }
            let old = entry.card
            guard operation.seq > old.operation.seq else {
                entry.card = old.following(operation)
                return (false, [])
            }
            index(from: old.operation, to: operation)
            entry.reading.gaps = gaps
            entry.card = old.followed(by: operation)
            return (false, entry.takeWaiters())
        }
        if isNew.new {
            let (ticket, publicID) = (operation.credentials.ticket, operation.credentials.publicID)
            ticketShard(ticket).entries.withLock { $0.add(publicID.prefixWord, to: ticket.prefixWord) }
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
            guard let entry = entries[publicID], entry.card.lastContact != contact else { return [] }
            entry.card = CachedOperation(entry.card, lastContact: contact)
            return entry.takeStreams()
        }
        for waiter in woken { waiter.resume() }
    }

    /// Notes that the operation was read from the database.
    ///
    /// `isForgotten`: Whether earlier contacts with its provider are unknown, because this daemon has to go on with it.
    func noteReadBack(_ publicID: Digest256, at now: Uptime, isForgotten: Bool) {
        let gaps = counts.gaps.load(ordering: .acquiring)
        shard(publicID).entries.withLock { entries in
            guard let entry = entries[publicID] else { return }
            if entry.reading.first == nil { entry.reading.first = now }
            entry.reading.gaps = gaps
            if isForgotten { entry.reading.isForgotten = true }
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
        shard(publicID).entries.withLock { $0[publicID]?.reading.gaps = -1 }
    }

    /// Whether the operation was neither read nor written here since messages were lost, or since a reading failed.
    func isStale(_ publicID: Digest256) -> Bool {
        let gaps = counts.gaps.load(ordering: .acquiring)
        return shard(publicID).entries.withLock { $0[publicID].map { $0.reading.gaps < gaps } ?? false }
    }

    /// Removes an operation and wakes its waiters.
    package func remove(_ publicID: Digest256) {
        let removed = shard(publicID).entries.withLock { entries -> (ticket: Digest256, woken: [Waiter])? in
            guard let entry = entries[publicID] else { return nil }
            entries.remove(publicID)
            index(from: entry.card.operation, to: nil)
            return (entry.card.operation.credentials.ticket, entry.takeWaiters())
        }
        guard let removed else { return }
        ticketShard(removed.ticket).entries.withLock {
            $0.remove(publicID.prefixWord, from: removed.ticket.prefixWord)
        }
        for waiter in removed.woken { waiter.resume() }
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
            shard.entries.withLock { $0.all.map(\.card) }.filter { condition($0.operation) }
        }
    }

    package var count: Int { shards.reduce(0) { $0 + $1.entries.withLock(\.count) } }

    /// Returns the cached operations whose public ids begin with that word; the caller compares more of them.
    func cards(word: UInt64) -> [CachedOperation] { shard(word: word).entries.withLock { $0.cards(word: word) } }

    func shard(_ digest: Digest256) -> Shard { shard(word: digest.prefixWord) }

    private func shard(word: UInt64) -> Shard { shards[Int(truncatingIfNeeded: word % UInt64(shards.count))] }

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
            guard let entry = entries[publicID], let card = change(entry.card) else { return false }
            entry.card = card
            return true
        }
    }

    final class Shard: Sendable {
        let entries = Mutex(EntryTable())
        /// The parked polls, separate from the entries, because a sweep must not visit a hundred thousand entries.
        let parked = Mutex(ParkedPollQueue())
    }

    private final class TicketShard: Sendable {
        let entries = Mutex(WordIndex())
    }
}

/// What may have changed every operation of the cache at once.
final class CacheCounts: Sendable {
    /// How often a provider's health has changed.
    let healthFlips = Atomic<Int>(0)
    /// How often messages of other daemons were lost.
    let gaps = Atomic<Int>(0)
}
