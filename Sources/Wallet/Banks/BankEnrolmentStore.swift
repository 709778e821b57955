package import Kernel

/// Port: enrolments under way, each until a while after its end.
package protocol BankEnrolmentStore: Sendable {
    /// Keeps a new one; of its account only so many stay: the oldest go.
    func insert(
        _ attempt: EnrolmentAttempt,
        keepingPerAccount: Int,
        in transaction: borrowing Transaction
    ) throws

    func find(state: Digest256) async throws -> EnrolmentAttempt?

    func find(state: Digest256, in transaction: borrowing Transaction) throws -> EnrolmentAttempt?

    /// By the token of its question, asked or answered.
    func find(confirmation token: Digest256) async throws -> EnrolmentAttempt?

    /// Writes its stage, verifier and expiry over that stage: a compare-and-swap, of many at once one gets `true`.
    func update(
        _ attempt: EnrolmentAttempt,
        over stage: EnrolmentAttempt.Stage.Name,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Deletes up to `limit` that expired before `instant`, the oldest first; returns how many.
    func purge(expiredBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}
