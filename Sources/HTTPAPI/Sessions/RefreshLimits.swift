package import Kernel
import Operations
import SignIn
import Tokens

/// What stops an app that asks for ever with one refresh token, and bounds how many rows one session makes.
///
/// Keyed by the token, never by the address alone: neighbours behind one address don't pay for each other, and nobody
/// can use up another's budget without what the token needs. The published wallet app refreshes after every 401, also
/// that of the refresh itself; only 429 ends it.
package final class RefreshLimits: Sendable {
    /// So many times 401 for one dead token, then 429.
    private static let dead = RateLimit(burst: 5, every: .seconds(60))
    /// Rotations of one session: one for every access token is enough, and two at a time happen.
    private static let perSession = RateLimit(burst: 30, every: .seconds(10))
    /// Requests with one token from one address that make no row: repetitions, and tries without the proof.
    private static let perToken = RateLimit(burst: 30, every: .seconds(10))
    private static let pause: Duration = .seconds(60)

    private let clock: any MonotonicClock
    private let verified = UseTable(stripes: 16, setsPerStripe: 64)
    private let foreign = UseTable(stripes: 16, setsPerStripe: 64)
    private let stopped = UseTable(stripes: 16, setsPerStripe: 64)
    private let tries = UseTable()
    private let sessions = UseTable()

    package init(clock: any MonotonicClock) { self.clock = clock }

    /// Lets a rightly signed token in, unless it was found dead too often, is shown all the time, or its session makes
    /// row upon row.
    func admit(_ attempt: RefreshAttempt) throws(APIError) {
        let now = clock.now
        guard !isKnownDead(attempt.held) else { throw .rateLimited(for: Self.pause, by: .deadRefreshTokens) }
        if let wait = tries.wait(attempt.key, Self.perToken, at: now) {
            throw .rateLimited(for: wait, by: .refreshesPerToken)
        }
        if let wait = sessions.wait(attempt.sessionKey, Self.perSession, at: now) {
            throw .rateLimited(for: wait, by: .refreshesPerSession)
        }
    }

    /// The token was rotated; only whoever has all that it needs comes this far, and takes from the session's budget.
    func noteRotation(_ attempt: RefreshAttempt) {
        _ = sessions.take(attempt.sessionKey, Self.perSession, at: clock.now)
    }

    /// The token was shown, and nothing was made of it.
    func noteTry(_ attempt: RefreshAttempt) { _ = tries.take(attempt.key, Self.perToken, at: clock.now) }

    /// The token got nothing.
    func noteDead(_ attempt: RefreshAttempt) throws(APIError) {
        guard let wait = countDead(attempt.held) else { return }
        throw .rateLimited(for: wait, by: .deadRefreshTokens)
    }

    /// Whether the token was found dead too often of late, so that nothing has to be looked up.
    func isKnownDead(_ held: PresentedRefreshToken) -> Bool {
        stopped.isMarked(held.claims.rowKey.prefixWord, at: clock.now)
    }

    /// Counts that the token got nothing; how long it is known to be dead from now on, if it is.
    @discardableResult
    func countDead(_ held: PresentedRefreshToken) -> Duration? {
        let (key, now) = (held.claims.rowKey.prefixWord, clock.now)
        guard let wait = verified.take(key, Self.dead, at: now) else { return nil }
        stopped.mark(key, until: now + Self.pause)
        return max(wait, Self.pause)
    }

    /// The text is no refresh token of ours, or has expired.
    ///
    /// In a table of its own: whoever sends many different ones drives out nothing but those.
    func noteForeign(_ text: String) throws(APIError) {
        guard let wait = foreign.take(Digest256(sha256: text).prefixWord, Self.dead, at: clock.now) else { return }
        throw .rateLimited(for: wait, by: .foreignRefreshTokens)
    }
}

/// A token that is shown, as its limits count it.
struct RefreshAttempt: Sendable {
    let held: PresentedRefreshToken
    /// Who shows the token from there, with anything beside it or with nothing.
    ///
    /// Apart, so that a thief who has the token alone takes nothing from the owner, whatever network both are in.
    let key: UInt64

    init(_ held: PresentedRefreshToken, hasEvidence: Bool, from address: [UInt8]) {
        self.held = held
        key = Digest256(sha256: held.claims.rowKey.bytes + [hasEvidence ? 1 : 0] + address).prefixWord
    }

    var sessionKey: UInt64 { held.claims.session.bits.low }
}
