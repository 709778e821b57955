package import Kernel
import Synchronization

/// Which sessions may have been revoked while access tokens of theirs are still good: asked for each token, in memory.
///
/// A hint to look into the store, never a verdict: a revocation is noted before it is durable, and when too many come
/// the older ones are remembered by a date alone. So nothing is missed, and what is kept is bounded.
package final class RevokedSessions: Sendable {
    private struct State {
        /// In the order of time.
        var noted: [(key: UUIDBits, at: Instant)] = []
        var keys: [UUIDBits: Int] = [:]
        /// A token that was issued by then may be any session's.
        var unknownUntil: Instant
        /// The latest that the clock has shown.
        ///
        /// One that was set back since makes a revocation seem older than the tokens that it ended: it counts from here.
        var latest: Instant
        var nextSweep: Instant

        /// Takes note of the time, and returns the latest.
        mutating func see(_ now: Instant) -> Instant {
            latest = max(latest, now)
            return latest
        }
    }

    /// How often those are dropped whose tokens have expired.
    private static let sweepEvery: Duration = .seconds(60)

    /// How far the clock may have been set back since: a revocation then seems older than the tokens that it ended.
    private static let setBack: Duration = .seconds(600)

    /// The most that is remembered one by one.
    private let limit: Int
    /// The longest that an access token is good.
    private let lasting: Duration
    private let state: Mutex<State>

    /// Knows nothing yet of what was revoked before `startedAt`: ``restore(from:at:)``.
    package init(lasting: Duration, startedAt: Instant, limit: Int = 100_000) {
        self.limit = limit
        self.lasting = lasting
        state = Mutex(State(unknownUntil: startedAt, latest: startedAt, nextSweep: startedAt + Self.sweepEvery))
    }

    /// Takes in what the store has of the time before.
    package func restore(from store: any SessionStore, at now: Instant) async throws {
        let found = try await store.revoked(after: now - lasting - Self.setBack, limit: limit + 1)
        state.withLock { state in
            let earlier = state.noted
            state.noted = []
            state.keys = [:]
            state.unknownUntil = now - lasting
            for revocation in found.reversed() { note(revocation.session.bits, revocation.at, &state) }
            for entry in earlier { note(entry.key, entry.at, &state) }
        }
    }

    /// Whether the store has to be asked about a session of the account, for a token that was issued then.
    package func mayInclude(_ session: SessionID, of account: AccountID, issuedAt: Instant) -> Bool {
        state.withLock { state in
            _ = state.see(issuedAt)
            return issuedAt <= state.unknownUntil || state.keys[session.bits] != nil || state.keys[account.bits] != nil
        }
    }

    /// Takes note of the time that tokens are issued by.
    func see(_ now: Instant) { state.withLock { _ = $0.see(now) } }

    func note(_ session: SessionID, at now: Instant) { note(session.bits, now) }

    /// All sessions that the account has by now.
    func noteAll(of account: AccountID, at now: Instant) { note(account.bits, now) }

    /// How many are remembered one by one.
    var count: Int { state.withLock(\.noted.count) }

    private func note(_ key: UUIDBits, _ now: Instant) {
        state.withLock { state in
            let latest = state.see(now)
            note(key, latest, &state)
        }
    }

    private func note(_ key: UUIDBits, _ now: Instant, _ state: inout State) {
        state.noted.append((key, now))
        state.keys[key, default: 0] += 1
        let isFull = state.noted.count > limit
        guard isFull || now >= state.nextSweep else { return }
        state.nextSweep = now + Self.sweepEvery
        // First those whose tokens have expired, whatever the clock does; then, of too many, the oldest half.
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
