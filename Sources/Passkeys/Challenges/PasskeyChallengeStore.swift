package import Kernel

/// Port: where open challenges are kept.
package protocol PasskeyChallengeStore: Sendable {
    /// Adds a challenge.
    ///
    /// Of that source, and of all, only so many stay: the oldest go.
    func insert(
        _ challenge: PasskeyChallenge,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws

    func find(_ digest: Digest256) async throws -> PasskeyChallenge?

    /// Whether a challenge is bound to that which has not expired.
    func isBound(to binding: Digest256, at now: Instant) async throws -> Bool

    /// Uses the challenge up; `false` if that was done already, it has gone, or has expired.
    func use(_ digest: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool
}
