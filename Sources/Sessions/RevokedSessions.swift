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
    private let state: Mutex<State>

    /// Creates a memory without the revocations before `startedAt`, which ``restore(from:at:)`` loads.
    package init(lasting: Duration, startedAt: Instant, limit: Int = 100_000) {
        self.limit = limit
        self.lasting = lasting
        state = Mutex(State(unknownUntil: startedAt, latest: startedAt, nextSweep: startedAt + Self.sweepEvery))
    }

    /// Loads the database's revocations from before the start.
    package func restore(from store: any SessionStore, at now: Instant) async throws {
        let found = try await store.revoked(after: now - lasting - Self.setBack, limit: limit + 1)
        state.withLock { state in
            let earlier = state.noted
            state.noted = []
            state.keys = [:]
            state.unknownUntil = now - lasting
            for revocation in found.reversed() { note(revocation.session.bits, at: revocation.at, in: &state) }
            for entry in earlier { note(entry.key, at: entry.at, in: &state) }
        }
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
