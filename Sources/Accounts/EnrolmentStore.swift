package import Kernel

/// Port: the enrolments of accounts with providers, as the set-up of faces reads and writes them.
package protocol EnrolmentStore: Sendable {
    func find(_ account: AccountID, at provider: String, in transaction: borrowing Transaction) throws -> Enrolment?

    /// Returns the face that signs the account in at the provider; `nil` if it is withdrawn.
    func face(of account: AccountID, at provider: String, in transaction: borrowing Transaction) throws -> FaceInForce?

    func insert(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws

    /// Activates a newly set-up face in place of the previous one, or withdraws the face.
    ///
    /// A login that began with the previous face does not count for the new one.
    ///
    /// - Returns: `false` if the enrolment is unknown, or is to be withdrawn and already is.
    func setActive(
        _ isActive: Bool,
        _ account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
