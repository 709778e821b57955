package import Kernel
import Operations
import Tokens

/// What stops an app that asks for ever with a dead refresh token, and bounds how many rows one session makes.
///
/// Keyed by the token, never by the address alone: neighbours behind one address don't pay for each other, and nobody
/// can use up another's budget without the token. The published wallet app refreshes after every 401, also that of the
/// refresh itself; only 429 ends it.
package final class RefreshLimits: Sendable {
    /// So many times 401 for one dead token, then 429.
    private static let dead = RateLimit(burst: 5, every: .seconds(60))
    /// Refreshes of one session: one for every access token is enough, and two at a time happen.
    private static let perSession = RateLimit(burst: 30, every: .seconds(10))
    private static let pause: Duration = .seconds(60)

    private let clock: any MonotonicClock
    private let verified = UseTable(stripes: 16, setsPerStripe: 64)
    private let foreign = UseTable(stripes: 16, setsPerStripe: 64)
    private let stopped = UseTable(stripes: 16, setsPerStripe: 64)
    private let sessions = UseTable()

    package init(clock: any MonotonicClock) { self.clock = clock }

    /// Lets a rightly signed token in, unless it was found dead too often or its session refreshes all the time.
    func admit(_ held: HeldRefreshToken) throws(Problem) {
        let now = clock.now
        guard !stopped.isMarked(held.claims.rowKey.prefixWord, at: now) else { throw Self.tooMany(Self.pause) }
        if let wait = sessions.take(held.claims.session.bits.low, Self.perSession, at: now) { throw Self.tooMany(wait) }
    }

    /// The token got nothing.
    func noteDead(_ held: HeldRefreshToken) throws(Problem) {
        let (key, now) = (held.claims.rowKey.prefixWord, clock.now)
        guard let wait = verified.take(key, Self.dead, at: now) else { return }
        stopped.mark(key, until: now + Self.pause)
        throw Self.tooMany(max(wait, Self.pause))
    }

    /// The text is no refresh token of ours, or has expired.
    ///
    /// In a table of its own: whoever sends many different ones drives out nothing but those.
    func noteForeign(_ text: String) throws(Problem) {
        guard let wait = foreign.take(Digest256(sha256: text).prefixWord, Self.dead, at: clock.now) else { return }
        throw Self.tooMany(wait)
    }

    private static func tooMany(_ wait: Duration) -> Problem {
        .rateLimited(retryAfter: Int(max(1, wait.secondsRoundedUp)))
    }
}
