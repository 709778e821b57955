package import Kernel
import Operations
import SignIn
import Tokens

/// Stops an app that repeats one refresh token forever, and bounds the rows of one session.
///
/// The key is the token, never the address alone: neighbours behind one address do not pay for each other. Nobody can
/// use up another's budget without the token and its proof. The published wallet app refreshes after every 401, also
/// after one of the refresh itself; only 429 ends that.
package final class RefreshLimits: Sendable {
    /// The answers 401 for one dead token, before 429.
    private static let dead = RateLimit(burst: 5, every: .seconds(60))
    /// Rotations of one session: one for each access token suffices, and two at a time happen.
    private static let perSession = RateLimit(burst: 30, every: .seconds(10))
    /// Requests with one token from one address that create no row: repetitions, and attempts without the proof.
    private static let perToken = RateLimit(burst: 30, every: .seconds(10))
    private static let pause: Duration = .seconds(60)

    private let clock: any MonotonicClock
    private let verified = UseTable(stripes: 16, setsPerStripe: 64)
    private let foreign = UseTable(stripes: 16, setsPerStripe: 64)
    private let stopped = UseTable(stripes: 16, setsPerStripe: 64)
    private let tries = UseTable()
    private let sessions = UseTable()

    package init(clock: any MonotonicClock) { self.clock = clock }

    /// Admits a correctly signed token, unless it was dead too often, is presented too often, or its session creates
    /// too many rows.
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

    /// Counts a rotation for the session; only a caller with the token and its proof gets this far.
    func noteRotation(_ attempt: RefreshAttempt) {
        _ = sessions.take(attempt.sessionKey, Self.perSession, at: clock.now)
    }

    /// Counts a token that was presented without a rotation.
    func noteTry(_ attempt: RefreshAttempt) { _ = tries.take(attempt.key, Self.perToken, at: clock.now) }

    /// Counts a token that was refused.
    func noteDead(_ attempt: RefreshAttempt) throws(APIError) {
        guard let wait = countDead(attempt.held) else { return }
        throw .rateLimited(for: wait, by: .deadRefreshTokens)
    }

    /// Whether the token was dead too often recently, so that it need not be looked up.
    func isKnownDead(_ held: PresentedRefreshToken) -> Bool {
        stopped.isMarked(held.claims.rowKey.prefixWord, at: clock.now)
    }

    /// Counts a refused token, and returns for how long it counts as dead, if it does.
    @discardableResult
    func countDead(_ held: PresentedRefreshToken) -> Duration? {
        let (key, now) = (held.claims.rowKey.prefixWord, clock.now)
        guard let wait = verified.take(key, Self.dead, at: now) else { return nil }
        stopped.mark(key, until: now + Self.pause)
        return max(wait, Self.pause)
    }

    /// Counts a text that is no valid refresh token of this server.
    ///
    /// It has a separate table, in which a caller with many different texts drives out nothing else.
    func noteForeign(_ text: String) throws(APIError) {
        guard let wait = foreign.take(Digest256(sha256: text).prefixWord, Self.dead, at: clock.now) else { return }
        throw .rateLimited(for: wait, by: .foreignRefreshTokens)
    }
}

/// A presented token, as its limits count it.
struct RefreshAttempt: Sendable {
    let held: PresentedRefreshToken
    /// Identifies the token, its source address, and whether a proof came with it.
    ///
    /// An attacker who has the token alone therefore takes nothing from the owner's budget, even in the same network.
    let key: UInt64

    init(_ held: PresentedRefreshToken, hasEvidence: Bool, from address: [UInt8]) {
        self.held = held
        key = Digest256(sha256: held.claims.rowKey.bytes + [hasEvidence ? 1 : 0] + address).prefixWord
    }

    var sessionKey: UInt64 { held.claims.session.bits.low }
}
