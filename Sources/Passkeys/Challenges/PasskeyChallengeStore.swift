package import Kernel

/// Port: where open challenges are kept.
package protocol PasskeyChallengeStore: Sendable {
    /// Adds a challenge, and removes the oldest beyond `keepingPerSource` of the source and `inAll` in total.
    func insert(
        _ challenge: PasskeyChallenge,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws

    func find(_ digest: Digest256) async throws -> PasskeyChallenge?

    /// Whether an unexpired challenge has that binding.
    func isBound(to binding: Digest256, at now: Instant) async throws -> Bool

    /// Uses the challenge up; returns `false` if it was used before, is missing or has expired.
    func use(_ digest: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool
}
