package import Kernel
import Synchronization

/// The sessions that may be revoked while their access tokens are still valid, in memory, for the check of each token.
///
/// An entry means that the database has to be read, and is not a verdict. A revocation is noted before it is durable.
/// When too many are noted, the older ones are replaced by one date, up to which every session is looked up. So no
/// revocation is missed, and the memory is bounded.
package final class RevokedSessions: Sendable {
    private struct State {
        /// Ordered by time.
        var noted: [(key: UUIDBits, at: Instant)] = []
        var keys: [UUIDBits: Int] = [:]
        /// A token that was issued up to this time may belong to a revoked session.
        var unknownUntil: Instant
        /// The latest time of the clock.
        ///
        /// If the clock is set back, a revocation seems older than the tokens that it ended. So revocations are noted
        /// at this time at the earliest.
        var latest: Instant
        var nextSweep: Instant
        /// When messages of other daemons were lost last, until the database was read after that.
        var gap: Uptime?

        /// Notes the time, and returns the latest.
        mutating func see(_ now: Instant) -> Instant {
            latest = max(latest, now)
            return latest
        }
    }

    /// How often revocations whose tokens have expired are dropped.
    private static let sweepEvery: Duration = .seconds(60)

    /// How far the clock may be set back: a revocation then seems older than the tokens that it ended.
    private static let setBack: Duration = .seconds(600)

    /// The largest number of revocations that are remembered one by one.
    private let limit: Int
    /// The longest lifetime of an access token.
    private let lasting: Duration
    private let feed: any ChangeFeed
    private let state: Mutex<State>

    /// Creates a memory without the revocations before `startedAt`, which ``restore(from:at:)`` loads.
    ///
    /// `feed`: Tells other daemons of each revocation.
    package init(
        lasting: Duration,
        startedAt: Instant,
        limit: Int = 100_000,
        feed: any ChangeFeed = SilentFeed()
    ) {
        self.limit = limit
        self.lasting = lasting
        self.feed = feed
        state = Mutex(State(unknownUntil: startedAt, latest: startedAt, nextSweep: startedAt + Self.sweepEvery))
    }

    /// Loads the database's revocations from before the start.
    package func restore(from store: any SessionStore, at now: Instant) async throws {
        let found = try await store.revoked(after: now - lasting - Self.setBack, limit: limit + 1)
        state.withLock { load(found, at: now, in: &$0) }
    }

    private func load(_ found: [Revocation], at now: Instant, in state: inout State) {
        let earlier = state.noted
        state.noted = []
        state.keys = [:]
        state.unknownUntil = now - lasting
        let known = Set(found.map(\.session.bits))
        let loaded = found.map { (key: $0.session.bits, at: $0.at) } + earlier.filter { !known.contains($0.key) }
        for entry in loaded.sorted(by: { $0.at < $1.at }) { note(entry.key, at: entry.at, in: &state) }
    }

    /// Whether the database has to be read about a session of the account, for a token that was issued then.
    package func mayInclude(_ session: SessionID, of account: AccountID, issuedAt: Instant) -> Bool {
        state.withLock { state in
            _ = state.see(issuedAt)
            return issuedAt <= state.unknownUntil || state.keys[session.bits] != nil || state.keys[account.bits] != nil
        }
    }

    /// Notes a time at which tokens are issued.
    func see(_ now: Instant) { state.withLock { _ = $0.see(now) } }

    func note(_ session: SessionID, at now: Instant) { note(session.bits, now) }

    /// Notes all sessions that the account has by now.
    func noteAll(of account: AccountID, at now: Instant) { note(account.bits, now) }

    /// The number of revocations that are remembered one by one.
    var count: Int { state.withLock(\.noted.count) }

    private func note(_ key: UUIDBits, _ now: Instant) {
        remember(key, now)
        // Before it is durable: what is noted stays noted, and the database decides.
        feed.announce(.revoked(key))
    }

    private func remember(_ key: UUIDBits, _ now: Instant) {
        state.withLock { state in
            let latest = state.see(now)
            note(key, at: latest, in: &state)
        }
    }

    private func note(_ key: UUIDBits, at now: Instant, in state: inout State) {
        state.noted.append((key, now))
        state.keys[key, default: 0] += 1
        let isFull = state.noted.count > limit
        guard isFull || now >= state.nextSweep else { return }
        state.nextSweep = now + Self.sweepEvery
        // Revocations whose tokens have expired are dropped first, whatever the clock does. If there are too many, the
        // oldest half is dropped.
        let expired = state.noted.prefix { $0.at < now - lasting - Self.setBack }.count
        let dropped = isFull ? max(expired, state.noted.count - limit / 2) : expired
        for entry in state.noted.prefix(dropped) {
            let left = (state.keys[entry.key] ?? 1) - 1
            state.keys[entry.key] = left == 0 ? nil : left
            state.unknownUntil = max(state.unknownUntil, entry.at)
        }
        state.noted.removeFirst(dropped)
    }
}

/// What other daemons revoke.
extension RevokedSessions {
    /// After a gap the database is read when so much time has passed.
    ///
    /// A revocation is announced before it is durable. So a lost message may be about one that the database shows only
    /// some seconds later.
    private static let settling: Duration = .seconds(30)
    /// By how much the clock of a daemon that issued a token may be ahead: twice what each may differ from the
    /// database's.
    private static let otherClocks: Duration = DatabaseClock.tolerance * 2
    /// How often the end of that time is looked for.
    private static let lookEvery: Duration = .seconds(5)

    /// Takes what another daemon announces.
    ///
    /// After a gap each session is looked up whose token was issued before it.
    package func take(_ event: FeedEvent, at now: Instant, uptime: Uptime) {
        switch event {
        case .message(.revoked(let key)): remember(key, now)
        case .message: break
        case .gap:
            state.withLock { state in
                state.unknownUntil = max(state.unknownUntil, state.see(now) + Self.otherClocks)
                state.gap = uptime
            }
        }
    }

    /// Reads the database if the last gap is long enough ago, so that tokens of before it cost no read any more.
    package func mend(from store: any SessionStore, at now: Instant, uptime: Uptime) async throws {
        guard let gap = state.withLock(\.gap), uptime - gap >= Self.settling else { return }
        let found = try await store.revoked(after: now - lasting - Self.setBack, limit: limit + 1)
        state.withLock { state in
            // Another gap came meanwhile.
            guard state.gap == gap else { return }
            load(found, at: now, in: &state)
            state.gap = nil
        }
    }

    /// Follows the feed until the task is cancelled.
    package func follow(_ feed: any ChangeFeed, from store: any SessionStore, in environment: Environment) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await event in feed.events() {
                    self.take(event, at: environment.now(), uptime: environment.clock.now)
                }
            }
            group.addTask {
                while (try? await environment.clock.sleep(until: environment.clock.now + Self.lookEvery)) != nil {
                    // While the database can't be read, it is asked about each token of before the gap anyway.
                    try? await self.mend(from: store, at: environment.now(), uptime: environment.clock.now)
                }
            }
        }
    }
}
