package import Kernel

/// Port: an account's name and face at a provider, as the enrolment of faces reads and writes them.
package protocol EnrolmentStore: Sendable {
    func find(_ account: AccountID, at provider: String, in transaction: borrowing Transaction) throws -> Enrolment?

    /// Returns the face that signs the account in at the provider; `nil` for one that is withdrawn.
    func face(of account: AccountID, at provider: String, in transaction: borrowing Transaction) throws -> FaceInForce?

    func insert(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws

    /// Puts the face in force instead of the previous one, or withdraws it.
    ///
    /// A login that began with the previous face does not count for it.
    ///
    /// - Returns: `false` if the enrolment is unknown, or was withdrawn before.
    func setActive(
        _ isActive: Bool,
        _ account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
