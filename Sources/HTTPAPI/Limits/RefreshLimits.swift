import Kernel
import Operations
import SignIn
import Tokens

/// Stops an app that repeats one refresh token forever, and bounds the rows of one session.
///
/// The key is the token, never the address alone: neighbours behind one address do not pay for each other. Nobody can
/// use up another's budget without the token and its proof. The published wallet app refreshes after every 401, also
/// after one of the refresh itself; only 429 ends that.
final class RefreshLimits: Sendable {
    /// Tokens of this server that were refused: the answers 401 for one of them, before 429.
    private let dead: Limiter
    /// Texts that are no tokens of this server.
    ///
    /// They have a separate table, in which a caller with many different texts drives out nothing else.
    private let foreign: Limiter
    /// Requests with one token from one address that create no row: repetitions, and attempts without the proof.
    private let tries: Limiter
    /// Rotations of one session: one for each access token suffices, and two at a time happen.
    private let rotations: Limiter

    init(clock: any MonotonicClock) {
        let refused = RateLimit(burst: 5, every: .seconds(60))
        let granted = RateLimit(burst: 30, every: .seconds(10))
        dead = Limiter(.deadRefreshTokens, refused, pausing: .seconds(60), clock: clock)
        foreign = Limiter(.foreignRefreshTokens, refused, clock: clock)
        tries = Limiter(.refreshesPerToken, granted, clock: clock, stripes: 64, setsPerStripe: 128)
        rotations = Limiter(.refreshesPerSession, granted, clock: clock, stripes: 64, setsPerStripe: 128)
    }

    /// Admits a correctly signed token, unless it was dead too often, is presented too often, or its session creates
    /// too many rows.
    func admit(_ attempt: RefreshAttempt) throws(APIError) {
        try dead.check(attempt.held.limitKey)
        try tries.check(attempt.key)
        try rotations.check(attempt.sessionKey)
    }

    /// Counts a rotation for the session; only a caller with the token and its proof gets this far.
    func noteRotation(_ attempt: RefreshAttempt) { rotations.note(attempt.sessionKey) }

    /// Counts a token that was presented without a rotation.
    func noteTry(_ attempt: RefreshAttempt) { tries.note(attempt.key) }

    /// Counts a token that was refused.
    func noteDead(_ attempt: RefreshAttempt) throws(APIError) { try dead.take(attempt.held.limitKey) }

    /// Whether the token was dead too often recently, so that it need not be looked up.
    func isKnownDead(_ held: PresentedRefreshToken) -> Bool { dead.isStopped(held.limitKey) }

    /// Counts a refused token.
    func countDead(_ held: PresentedRefreshToken) { dead.note(held.limitKey) }

    /// Counts a text that is no valid refresh token of this server.
    func noteForeign(_ text: String) throws(APIError) { try foreign.take(Digest256(sha256: text).prefixWord) }
}

extension PresentedRefreshToken {
    /// The token itself, as limits count it.
    fileprivate var limitKey: UInt64 { claims.rowKey.prefixWord }
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
