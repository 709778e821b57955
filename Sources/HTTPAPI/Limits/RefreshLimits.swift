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
    /// They are counted in a table of their own, so that a caller with many different texts displaces no other entries,
    /// and by each daemon, so that no text of a caller's choice becomes a row.
    private let foreign: Limiter
    /// Requests with one token from one address that create no row: repetitions, and attempts without the proof.
    private let tries: Limiter
    /// Rotations of one session: normally one for each access token, and sometimes two at a time.
    private let rotations: Limiter

    init(sharing: LimitSharing) {
        let refused = RateLimit(burst: 5, every: .seconds(60))
        let granted = RateLimit(burst: 30, every: .seconds(10))
        dead = Limiter(.deadRefreshTokens, refused, pausing: .seconds(60), sharing: sharing)
        foreign = Limiter(.foreignRefreshTokens, refused, scope: .eachDaemon, sharing: sharing)
        tries = Limiter(.refreshesPerToken, granted, sharing: sharing, stripes: 64, setsPerStripe: 128)
        rotations = Limiter(.refreshesPerSession, granted, sharing: sharing, stripes: 64, setsPerStripe: 128)
    }

    /// Admits a correctly signed token.
    ///
    /// Refuses one that was refused or presented too often, or whose session creates too many rows.
    func admit(_ attempt: RefreshAttempt) async throws(APIError) {
        try await Limiter.check([
            (dead, attempt.held.limitKey), (tries, attempt.key), (rotations, attempt.sessionKey),
        ])
    }

    /// Counts a rotation of the session, which only a caller with the token and its proof can cause.
    ///
    /// This daemon counts it even if the database can't: the tokens that were made must not be lost for that.
    func noteRotation(_ attempt: RefreshAttempt) async { _ = try? await rotations.note(attempt.sessionKey) }

    /// Counts a token that was presented without causing a rotation.
    ///
    /// This daemon counts it even if the database can't.
    func noteTry(_ attempt: RefreshAttempt) async { _ = try? await tries.note(attempt.key) }

    /// Counts a refused token, and throws if it was refused too often.
    func noteDead(_ attempt: RefreshAttempt) async throws(APIError) { try await dead.take(attempt.held.limitKey) }

    /// Returns whether this daemon knows that the token was refused so often recently that it need not be looked up.
    func isKnownDead(_ held: PresentedRefreshToken) -> Bool { dead.isStoppedHere(held.limitKey) }

    /// Counts a refused token.
    func countDead(_ held: PresentedRefreshToken) async throws(APIError) { try await dead.note(held.limitKey) }

    /// Counts a text that is no valid refresh token of this server, and throws if it came too often.
    func noteForeign(_ text: String) async throws(APIError) {
        try await foreign.take(Digest256(sha256: text).prefixWord)
    }
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
