import Kernel
import Operations
import SignIn
import Tokens

/// Stops an app that repeats one refresh token forever, and bounds the rows of one session.
///
/// Uses are counted by token, never by address alone, so that clients that share an address do not affect each other.
/// Nobody can use up a token's limit without the token and its proof. The published wallet app refreshes after every
/// 401, even one that answers a refresh: only 429 ends that.
final class RefreshLimits: Sendable {
    /// Tokens of this server that were refused: counts the 401 answers to one token before it gets 429.
    private let dead: Limiter
    /// Texts that are no refresh tokens of this server.
    ///
    /// They are counted in a table of their own, so that a caller with many different texts displaces no other entries.
    private let foreign: Limiter
    /// Requests with one token from one address that create no row: repetitions, and attempts without the proof.
    private let tries: Limiter
    /// Rotations of one session: normally one for each access token, and sometimes two at a time.
    private let rotations: Limiter

    init(clock: any MonotonicClock) {
        let refused = RateLimit(burst: 5, every: .seconds(60))
        let granted = RateLimit(burst: 30, every: .seconds(10))
        dead = Limiter(.deadRefreshTokens, refused, pausing: .seconds(60), clock: clock)
        foreign = Limiter(.foreignRefreshTokens, refused, clock: clock)
        tries = Limiter(.refreshesPerToken, granted, clock: clock, stripes: 64, setsPerStripe: 128)
        rotations = Limiter(.refreshesPerSession, granted, clock: clock, stripes: 64, setsPerStripe: 128)
    }

    /// Admits a correctly signed token.
    ///
    /// Refuses one that was refused or presented too often, or whose session creates too many rows.
    func admit(_ attempt: RefreshAttempt) throws(APIError) {
        try dead.check(attempt.held.limitKey)
        try tries.check(attempt.key)
        try rotations.check(attempt.sessionKey)
    }

    /// Counts a rotation of the session, which only a caller with the token and its proof can cause.
    func noteRotation(_ attempt: RefreshAttempt) { rotations.note(attempt.sessionKey) }

    /// Counts a token that was presented without causing a rotation.
    func noteTry(_ attempt: RefreshAttempt) { tries.note(attempt.key) }

    /// Counts a refused token, and throws if it was refused too often.
    func noteDead(_ attempt: RefreshAttempt) throws(APIError) { try dead.take(attempt.held.limitKey) }

    /// Returns whether the token was refused so often recently that it need not be looked up.
    func isKnownDead(_ held: PresentedRefreshToken) -> Bool { dead.isStopped(held.limitKey) }

    /// Counts a refused token.
    func countDead(_ held: PresentedRefreshToken) { dead.note(held.limitKey) }

    /// Counts a text that is no valid refresh token of this server, and throws if it came too often.
    func noteForeign(_ text: String) throws(APIError) { try foreign.take(Digest256(sha256: text).prefixWord) }
}

extension PresentedRefreshToken {
    /// The key by which limits count the token.
    fileprivate var limitKey: UInt64 { claims.rowKey.prefixWord }
}

/// A presented token, with the keys by which limits count it.
struct RefreshAttempt: Sendable {
    let held: PresentedRefreshToken
    /// Identifies the token, the address that it comes from, and whether a proof came with it.
    ///
    /// So an attacker who has only the token uses up nothing of the owner's limit, even on the same network.
    let key: UInt64

    init(_ held: PresentedRefreshToken, hasEvidence: Bool, from address: [UInt8]) {
        self.held = held
        key = Digest256(sha256: held.claims.rowKey.bytes + [hasEvidence ? 1 : 0] + address).prefixWord
    }

    var sessionKey: UInt64 { held.claims.session.bits.low }
}
