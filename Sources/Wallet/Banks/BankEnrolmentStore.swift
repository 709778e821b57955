package import Kernel

/// Port: stores enrolment attempts, each until some time after its end.
package protocol BankEnrolmentStore: Sendable {
    /// Stores a new attempt, and deletes the account's oldest ones beyond the limit.
    func insert(_ attempt: EnrolmentAttempt, keepingPerAccount: Int, in transaction: borrowing Transaction) throws

    func find(state: Digest256) async throws -> EnrolmentAttempt?

    /// Finds an attempt by the token of its confirmation, which may be open or answered.
    func find(confirmation token: Digest256) async throws -> EnrolmentAttempt?

    /// Writes the stage, verifier and expiry, if the stored stage is `stage`; of concurrent calls, one gets `true`.
    func update(
        _ attempt: EnrolmentAttempt,
        over stage: EnrolmentAttempt.Stage.Name,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
