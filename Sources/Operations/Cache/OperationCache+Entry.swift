import Kernel

extension OperationCache {
    /// An operation of the cache, with the facts about it that only this daemon knows.
    ///
    /// It is an object, because a dictionary is at worst two thirds empty. With 100,000 logins, a value of 152 bytes
    /// took 400 there. The lock of its shard guards it, and it does not leave that lock.
    final class Entry {
        var card: CachedOperation
        /// Zero for none, because an optional takes 16 bytes.
        ///
        /// Of all addresses one in 2^64 counts as none.
        private let sourceDigest: UInt64
        private var polled = OptionalUptime()
        private var exchange: Box<ProviderExchange>?
        var reading = Reading()
        var waiters: [Waiter] = []
        /// Separate rate limits for polls with a proof and polls with the id alone, so that the latter can't use up the
        /// former.
        var provenUse = RateLimit.Use()
        var bareUse = RateLimit.Use()

        init(card: CachedOperation, source: RequestSource?) {
            self.card = card
            sourceDigest = source?.digest ?? 0
        }

        /// Who began it, as far as this daemon knows.
        var source: RequestSource? { sourceDigest == 0 ? nil : RequestSource(digest: sourceDigest) }

        var lastPoll: Uptime? {
            get { polled.value }
            set { polled.value = newValue }
        }

        var publicID: Digest256 { card.operation.credentials.publicID }

        /// The last exchange with the provider; `nil` before the link is opened.
        var lastExchange: ProviderExchange? {
            get { exchange?.value }
            set { exchange = newValue.map(Box.init) }
        }

        /// Lists the waiter; returns the waiters that have to give way to it, or the waiter itself if it has to.
        func add(_ waiter: Waiter) -> [Waiter] {
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

        func takeWaiters() -> [Waiter] {
            defer { waiters = [] }
            return waiters
        }

        func takeStreams() -> [Waiter] {
            defer { waiters.removeAll(where: \.followsHealth) }
            return waiters.filter(\.followsHealth)
        }
    }

    /// The entries of a shard, by public id.
    ///
    /// The dictionary's key is the first word of the id, because the entry has the whole id: 16 bytes a place instead of
    /// 40. The ids are digests of random values, so that nobody can choose two with the same first word.
    struct EntryTable {
        private var byWord: [UInt64: Entry] = [:]
        /// The entries whose first word another entry has, which is not expected to happen.
        private var further: [Entry] = []

        var count: Int { byWord.count + further.count }

        var all: [Entry] { byWord.values + further }

        subscript(publicID: Digest256) -> Entry? {
            if let entry = byWord[publicID.prefixWord], entry.publicID == publicID { return entry }
            return further.isEmpty ? nil : further.first { $0.publicID == publicID }
        }

        /// Returns the operations whose ids begin with that word; the caller compares more of them.
        func cards(word: UInt64) -> [CachedOperation] {
            [byWord[word]?.card].compactMap(\.self) + further.map(\.card).filter { $0.firstWord == word }
        }

        /// Adds an entry whose id has none yet.
        mutating func insert(_ entry: Entry) {
            let word = entry.publicID.prefixWord
            if byWord[word] == nil { byWord[word] = entry } else { further.append(entry) }
        }

        mutating func remove(_ publicID: Digest256) {
            if byWord[publicID.prefixWord]?.publicID == publicID {
                byWord[publicID.prefixWord] = nil
            } else {
                further.removeAll { $0.publicID == publicID }
            }
        }
    }
}

extension CachedOperation {
    /// The first word of the operation's public id.
    fileprivate var firstWord: UInt64 { operation.credentials.publicID.prefixWord }
}

/// When and why a cached operation was read from the database.
struct Reading {
    /// How often messages were lost before it was last read or written; -1 after a reading that failed.
    var gaps = 0
    private var details: Box<Details>?

    /// What is known of an operation that was read.
    ///
    /// One that began here has none, and those are most.
    private struct Details {
        var first: Uptime?
        var isForgotten = false
        var toldDegraded: Uptime?
    }

    /// When it was first read; `nil` for one that began here.
    var first: Uptime? {
        get { details?.value.first }
        set { change { $0.first = newValue } }
    }

    /// Whether earlier contacts with its provider are unknown.
    var isForgotten: Bool {
        get { details?.value.isForgotten ?? false }
        set { change { $0.isForgotten = newValue } }
    }

    /// When the daemon that follows it last told that its provider does not answer.
    var toldDegraded: Uptime? {
        get { details?.value.toldDegraded }
        set { change { $0.toldDegraded = newValue } }
    }

    private mutating func change(_ change: (inout Details) -> Void) {
        var next = details?.value ?? Details()
        change(&next)
        details = Box(next)
    }
}

/// A time or none, in 8 bytes: an optional ``Uptime`` takes 16 in an object.
struct OptionalUptime {
    /// The earliest number that there is means none.
    private var nanoseconds = Int64.min

    var value: Uptime? {
        get { nanoseconds == .min ? nil : Uptime(nanoseconds: nanoseconds) }
        set { nanoseconds = newValue?.nanoseconds ?? .min }
    }
}
