package import Kernel

/// Port: an account's name and face at a provider, as the enrolment of faces reads and writes them.
package protocol EnrolmentStore: Sendable {
    func find(_ account: AccountID, at provider: String, in transaction: borrowing Transaction) throws -> Enrolment?

    func insert(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws

    /// Puts the face in force, in the place of one that was, or withdraws it: what began with the one before does not count
    /// for it.
    ///
    /// Returns `false` if there is no such enrolment, or it was withdrawn before.
    func setActive(
        _ isActive: Bool,
        _ account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
