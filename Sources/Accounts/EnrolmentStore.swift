package import Kernel

/// Port: an account's name and face at a provider, as the enrolment of faces reads and writes them.
package protocol EnrolmentStore: Sendable {
    func find(_ account: AccountID, at provider: String, in transaction: borrowing Transaction) throws -> Enrolment?

    func insert(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws

    /// Returns `false` if there is no such enrolment, or nothing to change of it.
    func setActive(
        _ isActive: Bool,
        _ account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
